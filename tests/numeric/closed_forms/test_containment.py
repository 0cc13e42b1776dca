"""A ball answers for every point in it: also next to kinks, jumps and ends of the domain."""

import importlib
import inspect
import pkgutil
import random

import flint
from flint import arb
from trying import each

import numeric
from numeric.arguments import closed
from numeric.concentration import last_layer_radius
from numeric.cosine_maps import limiting_ntk_profile
from numeric.dual_activations import dual_activation, dual_activation_derivative, list_activations
from numeric.gaussian_norms import chi_tail, probability_within

DRAWS = 80
# Where formulas change: ends of domains, kinks, jumps, thresholds between two formulas.
PLACES = [0, 0.25, 0.5, -0.5, 1, -1, 2, 3, 20, 1e-8]
RADII = [0, 0, 1e-30, 1e-10, 1e-3, 0.1, 1, 3]
EVEN = {"m"}  # heads come in pairs


def closed_forms():
    """The public functions that are a float formula and a ball formula behind one name."""
    found = {}
    for info in pkgutil.walk_packages(numeric.__path__, "numeric."):
        module = importlib.import_module(info.name)
        for name in getattr(module, "__all__", ()):
            thing = getattr(module, name)
            if inspect.isfunction(thing) and hasattr(thing, "domains"):
                found[name] = (thing, dict(thing.domains))
    return found


def duals():
    """The duals of all activations, as functions of rho, the two variances and parameters."""
    found = {}
    for one in list_activations():
        reals = [name for name in one.parameters if name != "degree"]
        for degree in (0, 1, 2, 3, 5) if "degree" in one.parameters else (None,):
            given = {} if degree is None else {"degree": degree}
            formulas, _ = one.with_parameters({**given, **dict.fromkeys(reals, 1)})
            both = (dual_activation, formulas.dual), (dual_activation_derivative, formulas[1])
            for function, formula in both:

                def at(rho, v1, v2, *rest, one=one, function=function, given=given, reals=reals):
                    own = dict(zip(reals, rest, strict=True))
                    return function(one.name, rho, variances=(v1, v2), **given, **own)

                pair = {"rho": formula.rho, "v1": formula.variance, "v2": formula.variance}
                found[f"{one.name} {degree} {function.__name__}"] = (at, {**pair, **formula.parameters})
    return found


def profiles():
    """The limiting NTK at a few depths."""
    domains = {"rho": closed(-1, 1), "delta": closed(0, 1)}
    return {
        f"profile {depth}": (lambda rho, d, depth=depth: limiting_ntk_profile(rho, depth, d), domains)
        for depth in (1, 2, 5)
    }


FUNCTIONS = {**closed_forms(), **duals(), **profiles()}


def middle(rng, name, domain):
    """A point of the domain, often one where formulas change."""
    if name in EVEN:
        return rng.choice([2, 4, 10])
    anywhere = (rng.uniform(-1, 1), rng.uniform(0, 5), 10 ** rng.uniform(-8, 3))
    while True:
        found = rng.choice([rng.choice(PLACES), *anywhere])
        if found in domain:
            return found


def points(rng, centre, radius, domain):
    """The middle of a ball, its ends, any point, and what lies in it of the places."""
    inner = radius * (1 - 1e-9)
    anywhere = centre + inner * rng.uniform(-1, 1)
    near = [place for place in PLACES if abs(place - centre) <= inner]
    found = [centre, centre - inner, centre + inner, anywhere, *near] if radius else [centre]
    ball = arb(centre, radius)
    return [point for point in found if point in domain and ball.contains(arb(point))]


def at_points(function, arguments):
    """The value at one point of the domain, or None where the function is not defined."""
    with flint.ctx.workprec(120):
        try:
            return function(*map(arb, arguments))
        except ValueError:
            return None


@each("name", *FUNCTIONS)
def test_a_ball_contains_the_value_at_each_of_its_points(name):
    function, domains = FUNCTIONS[name]
    rng = random.Random(name)
    missed = []
    for _ in range(DRAWS if "clip" not in name else DRAWS // 8):
        centres = [middle(rng, *item) for item in domains.items()]
        radii = [rng.choice(RADII) for _ in centres]
        balls = [arb(*both) if both[1] else arb(both[0]) for both in zip(centres, radii, strict=True)]
        try:
            image = function(*balls)
        except ValueError:  # no point of the ball is in the domain, as far as one can tell
            continue
        tried = []
        for _ in range(6):
            inside = map(points, [rng] * len(radii), centres, radii, domains.values())
            chosen = [rng.choice(some) for some in inside]
            if chosen in tried:
                continue
            tried.append(chosen)
            value = at_points(function, chosen)
            if value is not None and not image.overlaps(value):
                missed.append((balls, chosen, image, value))
    assert not missed


def test_all_closed_forms_are_looked_at():
    assert {"varrho", "steepness", "last_layer_radius", "probability_within"} <= set(FUNCTIONS)


@each("radius", 1e-30, 1e-10, 1)
def test_the_radius_of_a_last_layer_jumps_at_one_output(radius):
    image = last_layer_radius(arb(1), arb(1), arb(0), arb(1, radius))
    assert image.contains(arb(2))  # 2 |J|_F sqrt s at m_l = 1
    with flint.ctx.workprec(100):
        beyond = last_layer_radius(arb(1), arb(1), arb(0), 1 + arb(radius) / 2)
    assert image.overlaps(beyond)


def test_probabilities_next_to_the_radius_0():
    """P(|G| <= r) = 1 - exp(-r^2/2) in the plane, from 0 to 0.394 on [0, 1]."""
    within, beyond = probability_within(arb(0.5, 0.5), 2, 2), chi_tail(arb(0.5, 0.5), 2)
    top = 1 - (-arb(0.5)).exp()
    assert all(within.overlaps(value) for value in (arb(0), top))
    assert all(beyond.overlaps(value) for value in (arb(1), 1 - top))
    # Two ends are enough, as both are monotone: the images are no wider than they must be.
    assert within.rad() < 0.2
    assert beyond.rad() < 0.2
