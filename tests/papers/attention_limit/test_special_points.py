"""What proofs suppose of special points is what softmax and the output maps do there."""

import math
from fractions import Fraction

import numpy as np
import pytest

from numeric.balls import working_precision
from numeric.softmax_jacobian import softmax
from theorems.attention_limit.details import two_tokens_of_low_rank as low_rank
from theorems.attention_limit.letters.output_maps import C_output, C_softmax, H_heads, s_tokens
from theorems.attention_limit.main_theorem import output_maps
from theorems.attention_limit.main_theorem import softmax as maps
from theorems.engine.judging.given import Given


def supposed(claim, proof, at):
    """Both sides of the relations that a proof takes from hypotheses, at values of the letters."""
    theorem = proof(Given(claim, "statement", lambda _: claim))
    relations = [trust.says for trust in theorem.trusts if trust.kind == "hypothesis"]
    return [[float(side.subs(at).evalf()) for side in one.args] for one in relations]


@pytest.mark.parametrize("tokens", [2, 3, 5])
@pytest.mark.parametrize("constant", [0.01, 0.2, 0.35])
@pytest.mark.parametrize("map_", [True, False])
def test_two_scores_of_softmax_are_exchanged(tokens, constant, map_):
    claim, proof, least = (
        (maps.LEAST, maps.exchange_two_scores, 0.5)
        if map_
        else (maps.LEAST_COORDINATE, maps.one_of_two_scores, math.sqrt(2) / 4)
    )
    w, other = 1 + least - constant, (least - constant) / tokens
    rest = [math.log(other)] * (tokens - 2)
    scores, exchanged = (np.array([s * math.log(w), -s * math.log(w), *rest]) for s in (1, -1))
    change = softmax(scores) - softmax(exchanged)
    ((left, right),) = supposed(claim, proof, {C_softmax: constant, s_tokens: tokens})
    assert math.isclose(left, np.linalg.norm(change) if map_ else abs(change[0]), rel_tol=1e-9)
    assert math.isclose(right, constant * np.linalg.norm(scores - exchanged), rel_tol=1e-9)


def output(values, scores):
    """An output map: values and scores of one row, heads times tokens."""
    return float(np.sum(softmax(scores) * values) / math.sqrt(len(values)))


def bound(constant, first, second):
    """The constant times the distance of two points, times one and both lengths."""
    points = [np.concatenate([part.ravel() for part in z]) for z in (first, second)]
    return constant * np.linalg.norm(points[0] - points[1]) * (1 + sum(map(np.linalg.norm, points)))


@pytest.mark.parametrize(("heads", "tokens"), [(1, 2), (3, 2), (2, 4)])
def test_special_points_of_an_output_map(heads, tokens):
    shape, constant = (heads, tokens), 0.05
    at = {C_output: constant, s_tokens: tokens, H_heads: heads}
    found = supposed(output_maps.LEAST, output_maps.small_values_and_large_ones, at)
    # Small equal values, beside the origin.
    zero = np.zeros(shape)
    small = (1 - constant * math.sqrt(tokens)) / (2 * math.sqrt(tokens * heads))
    near = np.full(shape, small), zero
    # Two opposite values of one head, whose scores are exchanged.
    ratio = 1 - 4 * constant * math.sqrt(heads)
    w, other = 1 + ratio, ratio / tokens
    gap = (w - 1 / w) / (w + 1 / w + (tokens - 2) * other)
    value = max(left for left, _ in found) * math.sqrt(heads) / 2 / gap
    values, scores, exchanged = zero.copy(), zero.copy(), zero.copy()
    values[0, :2] = value, -value
    for row, sign in ((scores, 1), (exchanged, -1)):
        row[0] = math.log(other)
        row[0, :2] = sign * math.log(w), -sign * math.log(w)
    pairs = (near, (zero, zero)), ((values, scores), (values, exchanged))
    expected = [[abs(output(*x) - output(*y)), bound(constant, x, y)] for x, y in pairs]
    assert np.allclose(sorted(found), sorted(expected), rtol=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_outputs_at_large_scores(seed):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((6, 3)) * rng.uniform(0.1, 2, (6, 1))
    x[1] = x[0]
    top = x[np.argmax(np.linalg.norm(x, axis=1))]
    for size in (0.1, 1.0, 30.0, 1e4):
        y = softmax(size * x @ top) @ x
        assert size * np.sum((y - top) ** 2) <= len(x) ** 2 / math.e
    spread = np.mean(np.sum((x - x.mean(axis=0)) ** 2, axis=1))
    assert spread <= top @ top - np.sum(x.mean(axis=0) ** 2)


def test_frequencies_of_the_hyperbolic_secant():
    u = np.linspace(0, 14, 200_001)[1:]
    density = 4 * u / np.sinh(np.pi * u) * u[0]
    assert abs(density.sum() + 2 / np.pi * u[0] - 1) < 1e-8
    assert abs(np.sum(density * u**4) - 1) < 1e-8
    for x in (0.3, 2.0):
        mean = np.sum(density * np.cos(u * x)) + 2 / np.pi * u[0]
        assert abs(mean - (1 - math.tanh(x / 2) ** 2)) < 1e-8


def test_mean_variance_by_other_roads():
    with working_precision(120):
        # At two rows the difference of the scores has Laplace's law: 2 - 2 log 2.
        assert abs(float(low_rank.mean_variance(2, 2)) - (2 - 2 * math.log(2))) < 1e-15
        wide = low_rank.mean_variance(2, 10**15)
        assert abs(float(wide) - 0.6368381539683695) < 1e-14
        half = float(low_rank.mean_variance(Fraction(1, 2), 3))
    rng = np.random.default_rng(0)
    gaps = np.sqrt(0.5 * rng.chisquare(3, 10**6) / 3) * rng.standard_normal(10**6)
    draws = (1 + np.tanh(gaps / 2) ** 2) / 2
    assert abs(draws.mean() - half) < 6 * draws.std() / 1000
