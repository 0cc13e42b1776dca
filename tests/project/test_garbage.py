"""Whatever is thrown at a public function, it answers, or complains about an argument by name.

Every argument in turn is replaced by garbage, the others being as they should. What is no number,
or beyond the range of the argument, is always refused, and a float where numbers are exact. No
answer contains a NaN; one that is too large for a float may be refused as that. Exempt is what must
have methods (a function, a ball, an expression, the state of a network): something without them may
fail as it does anywhere in Python.
"""

import dataclasses
import importlib
import inspect
import math
import numbers
import pkgutil
import re
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction

import flint
import mpmath
import numpy as np
import sympy
from trying import each

import numeric
import symbolic
from numeric import attention_kernels, transformer_bounds
from numeric.arguments import shown
from numeric.certify import Box
from numeric.networks import MLP, attention, forward_pass, jacobian, multi_head, recurrent, transformer
from numeric.networks.transformer import Inputs
from numeric.quadrature import Growth
from symbolic.survey import Survey

WITH_METHODS = {
    *("f", "tail", "state", "mlp", "parameters", "growth", "box", "others"),
    *("lhs", "rhs", "expression", "inputs", "survey"),
}
OF_BALLS = {"acos_clipped", "asin_clipped", "sqrt_nonnegative", "monotone_enclosure", "hull"}
# Whoever asks for a huge amount of work gets it.
AMOUNTS_OF_WORK = {"depth", "max_boxes", "n", "order", "output_dim", "size"}
AMOUNTS_OF_WORK |= {"L", "R", "T", "count", "pairs", "steps"}
SIZES_OF_NETWORKS = {"m", "d", "tokens", "width"}

# What is no real number, and no array of them: nothing is answered to it.
STRANGE = [
    *(math.nan, np.float64("nan"), mpmath.mpf("nan"), sympy.nan, Decimal("nan"), flint.arb("nan")),
    *(math.inf, -math.inf, mpmath.mpf("inf"), sympy.oo, sympy.zoo, flint.arb("inf")),
    *(0.5 + 0.5j, sympy.I, object(), {"a": 1}, {1}, np.array([0.5j]), np.array([None])),
    *(np.array([0.5, math.nan]), np.full((2, 2), math.inf), np.array([True]), np.array(["a"])),
]
SMALL = [
    *(flint.arb(0, 10**6), True, np.True_, 1e308, 5e-324, -0.0, -1),
    *(Fraction(-7, 3), Decimal("0.1"), Decimal("1e20000000")),
    *("", "abc", "nan", "__import__('os')", "1e20000000", "1/0", "0 1", b"1"),
    *([], np.zeros(0), np.zeros((0, 2)), [[1.0], [1.0, 2.0]], np.zeros((1, 1, 1, 1)), range(3)),
    *(None, (i for i in range(2))),
]
GARBAGE = [*SMALL, 10**30, -(10**30), 10**5000]
# Beyond the range of an argument, in whatever function it has this name.
OUTSIDE = {
    **{"rho": (-2, 2, 1.000000001, flint.arb(3), True), "delta": (-1, 1.5, 2), "z": (-1, 2)},
    **{"w": (1, 0.5, -2), "depth": (0, -2, 2.0, True), "digits": (0, 1.5), "delta_prime": (0, 1)},
    **{"prec": (8,), "max_boxes": (0,), "size": (0,), "output_dim": (0,), "steps": (0,)},
    **{"n": (0,), "degree": (-2,), "m": (0, 3, 2.5, [4, 5]), "d": (0, 0.5), "alpha": (0, 1, 2)},
    **{"variances": ((1, -1), (-1, 1), (1, math.nan), (math.inf, 1), (1, 1, 1), 1, "11")},
    **{"variance": (-1,), "breaks": (["x"], [math.inf]), "t": (-1,), "s": (-1,), "width": (0,)},
    **{"k1": (1, 4), "k2": (1, 4), "layer": (3,), "u": (-0.1,), "U": ([1.0, 2.0, 3.0],)},
    **{"query_norm": (1.5,), "gammas": ([0.0], [[1.0]]), "product": ([[1, 2]],)},
    **{"x1": ([1, 2, 3], [[1]]), "x2": ([1, 2, 3], [[1]]), "logits": ([], 1.0)},
    **{"weights": (["1/2", "1/3"], [2, -1]), "name": ("rellu", 3), "moment": ("third",)},
    **{"samples": ([1], [[1, 2]]), "rounding": (-1,), "alternative": ("both",), "method": ("m",)},
    **{"standard_error": (-1,), "standard_errors": ([0.1, 0, 0.1],)},
    **{"rho_end": (0,), "step_size": (0.0,), "jobs": (0,), "seed": (-1,), "advance": (1,)},
    **{"widths": ((),), "kernel": (np.ones((2, 2)), np.ones((2, 3, 1, 1)), np.ones((2, 2, 1, 2)))},
    **{"kept": (-0.1, 1.5), "weight_std": (-1,), "bias_std": (-1,)},
    **{"batches": (1, [[0]]), "rng": (np.random.RandomState(0),), "keep": ("file",)},
}


def expectations():
    """What a careful caller gives: by name of the argument, and by function where that differs."""
    u, u1, u2 = sympy.symbols("u u1 u2", real=True)
    rng, ball, half = np.random.default_rng(0), {"x": flint.arb(0.5)}, flint.fmpq(1, 2)
    mlp = MLP((3, 4, 5, 6), 1.0, 0.5)
    state = forward_pass(mlp, mlp.sample(rng), np.eye(3)[:2])
    between = {"f": lambda **t: sum(t.values()), "variable": "t", "between": (0, 1), "zero_orders": (1, 0)}
    pair = {"f": lambda u1, u2, piece, analytic: u1 * u2, "growth": Growth(1, 1), "degree": 2}
    vectors = {"product": np.eye(2), "x1": [2, 1], "x2": [1, 2]}
    one_token = {"kernel": [[1]], "tangent": [[1]], "first": [[1]], "second": [[1]], "zeta": "relu"}
    return {
        "numeric": {
            **{"a": 1, "b": 2, "w": 2, "rho": 0.3, "z": 0.25, "delta": 0.5, "depth": 3, **vectors},
            **{"x": np.eye(3)[:2], "state": state, "k1": 2, "k2": 3, "layer": 1, "rng": rng},
            **{"size": 2, "widths": (3, 4, 5), "mlp": mlp, "parameters": state.parameters, "n": 2},
            **{"J": jacobian(state), "kernel": np.ones((2, 2, 1, 1)), "box": Box(x=(0, 1))},
            **{"name": "relu", "lower": -1, "upper": 2, "start": 1},
            **{"variable": "x", "order": 1, "end": 0},
            **{"other_end": 1, "f": lambda x: x + 1, "samples": [0.1, 0.2, 0.4], "expected": 0.3},
            **{"first": [0.1, 0.2, 0.4], "second": [0.2, 0.3, 0.1], "sizes": [1.0, 2.0, 4.0]},
            **{"values": [1.0, 2.0, 4.5], "standard_errors": [0.1, 0.1, 0.2], "effect": 0.5},
            **{"standard_error": 0.1, "alpha": 0.05, "prec": 64, "t": 0.5, "s": 1.5, "width": 4},
            **{"gammas": (1.0, 4.0), "function": lambda case, rng: case, "cases": [1, 2]},
            **{"frobenius": 2, "operator": 1, "output_dim": 2},
            **{"cosines": [[1, 0.5], [0.5, 1]], "m": 1000},
            **{"logits": [0.5, -1.0], "tokens": np.eye(2), "vector": [1.0, 2.0]},
            **{"direction": [0.5, 0.25]},
            **{"r": 2, "d": 3, "delta_prime": 0.1, "lam": 1, "tau": 2, "query_product": 0.5},
            **{"u": 2, "coupling": 1, "corner": 2, "step": 1, "spread": 2, "U": [1.0, 2.0]},
            **{"rho_c": 1, "rho_u": 2, "rho_w": 3, "sigma_1": 1, "sigma_2": 0.5},
        },
        "symbolic": {
            **{"a": 1, "b": 2, "w": 2, "rho": "3/10", "z": "1/4", "delta": "1/2", "depth": 2},
            **{"name": "relu", "order": 2, "x1": [[2], [1]], "x2": [[1], [2]], "f": u1 * u2 + u**2},
            **{"u": u, "u1": u1, "u2": u2, "product": sympy.eye(2), "lhs": u, "rhs": u},
            **{"moment": "phi", "rho_end": 1, "expression": u, "sigma_v": [[2]]},
            **{"sigma_uv": [[1]], "sigma_u": [[1]]},
            **{"weights": ["1/3", "2/3"], "tokens": [[1, 0], [0, 1]], "direction": [[1], [2]]},
            **{"logits": sympy.symbols("z_1 z_2", real=True), "indices": [1, 2], "size": 2},
            **{"values": [[1, -1], [2, 3]], "variables": [u]},
        },
        **dict.fromkeys(("acos_clipped", "asin_clipped", "sqrt_nonnegative"), ball),
        "monotone_enclosure": {**ball, "f": flint.arb.exp},
        "hull": {"lower": half, "upper": half},
        "certify_positive_between": between,
        "certify_nonnegative_between": between,
        "certify_positive_to_end": between,
        "numeric.slope_test": {"x": [1.0, 2.0, 4.0], "y": [1.0, 2.0, 4.5]},
        "multiplier": {"x": np.ones(3)},
        "numeric.variance": {"values": [1.0, 2.0]},
        "largest_deviation": {"first": 1, "second": 2},
        "numeric.expectation": {"f": lambda u: u * u},
        "dual_by_quadrature": {"f": lambda u: u * u},
        "numeric.bivariate_expectation": {"f": lambda u1, u2: u1 * u2},
        "enclose_expectation": {"f": lambda u, piece, analytic: u, "growth": Growth(1, 1)},
        "enclose_homogeneous_expectation": pair,
        "enclose_bivariate_expectation": {**pair, "rho": 1},
        "conditional_mean": {"u": [[u]]},
        "numeric.blocks_given_attention": {
            **{"mean1": [1.0, 0.5], "mean2": [0.0, 0.5], "activation": "relu"},
            **{"covariance1": np.eye(2), "covariance2": np.eye(2)},
        },
        "numeric.sampled_blocks": {
            **{"activation": "erf", "W": np.ones((3, 2, 2))},
            "inputs": Inputs(np.ones((2, 3, 2)), np.eye(2)),
        },
        **attention_expectations(),
        **kernels_expectations(),
        "attention_kernel": one_token,
        "attention_tangent_kernel": one_token,
        "derive_attention_kernel": {"zeta": "relu"},
        "derive_attention_tangent_kernel": {"zeta": "relu"},
        **multi_head_expectations(),
        "mixture_density": {"points": [0.0, 1.0], "variance_draws": [1.0, 2.0]},
        "kullback_leibler": {"first": [0.5, 0.5], "second": [0.25, 0.75], "step": 1.0},
        **networks_expectations(),
        "gaussian_mean": {"f": u**2, "letters": [u], "covariance": {(u, u): 1}},
        "has_zero_form": {"survey": Survey({})},
    }


def attention_expectations():
    """The arguments of layers of multi-head attention."""
    usual = {"attention": attention.AttentionLayer(2, 4), "x": np.eye(2), "gram": np.eye(2)}
    usual |= {"factors": np.eye(2)[None], "activation": None, "tokens": 2}
    usual |= {"y": 0.5, "t": 0.5, "frequency": 0.5, "order": 2}
    names = [name for name in attention.__all__ if inspect.isfunction(getattr(attention, name))]
    return {f"numeric.{name}": usual for name in names}


def kernels_expectations():
    """The arguments of the kernels of attention networks."""
    before = attention_kernels.token_kernels(np.ones((1, 2, 3)))
    usual = {"x": np.ones((1, 2, 3)), "kernels": before, "kept": 0.5, "count": 2}
    usual |= {"rng": np.random.default_rng(0), "layers": (), "x_present": None, "y_present": None}
    usual |= {"positions": np.eye(2), "decay": 0.5, "attention_mechanism": "RELU"}
    layers = {"attention_kernels": attention_kernels.AttentionKernel("relu")}
    layers["sampled_attention_kernels"] = attention_kernels.AttentionKernel("softmax")
    names = [name for name in attention_kernels.__all__ if name.islower()]
    return {f"numeric.{name}": {**usual, "layer": layers.get(name, before)} for name in names}


def multi_head_expectations():
    """The arguments of a multi-head layer in the NTK parametrisation."""
    layer = multi_head.MultiHeadLayer(2, 3, 4)
    weights, x = multi_head.sample_head_weights(layer, 5, 2, np.random.default_rng(0)), np.eye(5)
    usual = {"layer": layer, "weights": weights, "x": x[None, :2], "width": 5}
    usual |= {"state": multi_head.heads_forward(layer, weights, x[None, :2])}
    usual |= {"factors": np.eye(4)[None, :2], "input_tangent": np.eye(2)[None, None]}
    names = [name for name in multi_head.__all__ if inspect.isfunction(getattr(multi_head, name))]
    linear = multi_head.MultiHeadLayer(2, 3, 4, score_map="identity")
    other = {"layer": linear, "gram": np.eye(2)[None, None]}
    result = {f"numeric.{name}": usual for name in names}
    return {**result, "linear_tangent_means": {**usual, **other}}


def networks_expectations():
    """The arguments of transformers and recurrent networks."""
    rng = np.random.default_rng(0)
    phi, inputs = transformer.symmetric_initialisation(4, 2, rng), Inputs(np.eye(2)[None], [[1, 0]])
    usual = {"parameters": phi, "initial": phi, "inputs": inputs, "activation": transformer.TANH}
    usual |= {"rho": (1, 2, 3), "steps": 2, "labels": [1.0], "direction": phi, "v": phi, "W": phi.W}
    usual |= {"count": 2, "T": 3, "d": 2, "R": 2, "nu": (1, 2, 3), "m": 4}
    names = [name for name in transformer.__all__ if inspect.isfunction(getattr(transformer, name))]
    unit = recurrent.recurrent_initialisation(4, 2, 1.5, rng)
    other = {**usual, "parameters": unit, "initial": unit, "tokens": inputs.tokens, "gamma": 1}
    regime = transformer_bounds.Regime(4, 2, 3, (1, 1, 1), (1, 1, 1), (1, 1, 1))
    bounds = {"regime": regime, "constants": transformer_bounds.printed_constants(regime)}
    return {
        **{f"numeric.{name}": {**bounds, "steps": 2} for name in transformer_bounds.__all__},
        **{f"numeric.{name}": usual for name in names},
        **{f"numeric.{name}": other for name in recurrent.__all__},
    }


def public_functions():
    """The functions that ``__all__`` names anywhere, each once."""
    found = {}
    for package in (numeric, symbolic):
        for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            module = importlib.import_module(info.name)
            for thing in (getattr(module, name) for name in getattr(module, "__all__", ())):
                if inspect.isfunction(thing):
                    found[f"{thing.__module__}.{thing.__name__}"] = thing
    return found


EXPECTED, FUNCTIONS = expectations(), public_functions()


def usual_arguments(function, parameters):
    """The arguments that must be given, as a careful caller would give them."""
    package, name = function.__module__.partition(".")[0], function.__name__
    own = {**EXPECTED.get(name, {}), **EXPECTED.get(f"{package}.{name}", {})}
    known = {**EXPECTED[package], **own}
    return {one.name: known[one.name] for one in parameters if one.default is one.empty}


def has_nan(value):
    """Whether a value contains a NaN anywhere."""
    if isinstance(value, Mapping):
        return has_nan(list(value.values()))
    if isinstance(value, tuple | list | np.ndarray):
        return any(map(has_nan, value.flat if isinstance(value, np.ndarray) else value))
    if dataclasses.is_dataclass(value):
        return has_nan([getattr(value, one.name) for one in dataclasses.fields(value)])
    if isinstance(value, sympy.Basic | sympy.MatrixBase):
        return value.has(sympy.nan, sympy.zoo)
    if isinstance(value, flint.arb):
        return value.is_nan()
    return isinstance(value, numbers.Number) and bool(value != value)  # noqa: PLR0124


def complaint(function, arguments, refused=False):
    """What is wrong with the way a function takes its arguments, or None."""
    try:
        with np.errstate(all="ignore"):
            answer = function(**arguments)
        return "answers" if refused else "returns NaN" if has_nan(answer) else None
    except (ValueError, TypeError) as error:
        words = [word for word in arguments.values() if isinstance(word, str) and word]
        names = "|".join(map(re.escape, [*arguments, *words]))  # of a variable, say
        if re.search(rf"(?<!\w)({names}|variance[12])(?!\w)[^:]{{0,15}} must", str(error)):
            return None
        return f"names no argument: {type(error).__name__}: {error}"
    except OverflowError as error:
        return None if "too large for a float" in str(error) else f"OverflowError: {error}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def never_taken(function, name, usual):
    """What must not be taken for an argument of a function."""
    if function.__name__ == "working_precision":  # it looks at its arguments when it is entered
        return []
    strange = STRANGE if name != "cases" else []
    floats = [0.5] if function.__module__.startswith("symbolic") else []
    entries = []
    if function.__module__.startswith("numeric") and isinstance(usual, np.ndarray | list):
        for kind, wrong in ((float, math.nan), (float, math.inf), (complex, 1j)):
            entries.append(np.array(usual, dtype=kind))
            entries[-1].flat[0] = wrong
    return [*strange, *floats, *entries, *OUTSIDE.get(name, ())]


@each("name", *FUNCTIONS)
def test_garbage_is_refused_by_name(name):
    function = FUNCTIONS[name]
    kinds = {inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY}
    signature = inspect.signature(function).parameters.values()
    parameters = [one for one in signature if one.kind in kinds]
    usual = usual_arguments(function, parameters)
    assert complaint(function, usual) is None
    names = {one.name for one in parameters}
    exempt = names if function.__name__ in OF_BALLS else WITH_METHODS
    found = {}
    for spoilt in sorted(names - exempt):
        large = spoilt in AMOUNTS_OF_WORK or (spoilt in SIZES_OF_NETWORKS and "rng" in names)
        never = never_taken(function, spoilt, usual.get(spoilt))
        for thing in (*never, *(SMALL if large else GARBAGE)):
            refused = any(thing is one for one in never)
            if wrong := complaint(function, {**usual, spoilt: thing}, refused):
                found.setdefault(f"{spoilt}: {wrong[:100]}", []).append(shown(thing))
    assert not found
