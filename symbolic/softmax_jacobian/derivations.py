"""Derivations about the Jacobian of softmax, for any number of tokens."""

from functools import cache

import sympy
from sympy import Derivative, Expr, Interval, Symbol, exp

from symbolic.derivation import Derivation, Step
from symbolic.softmax_jacobian.weights import REST

_i, _j = sympy.symbols("z_i z_j", real=True)
_TOTAL = exp(_i) + exp(_j) + REST
_pi, _pj = sympy.symbols("p_i p_j", positive=True)
_WEIGHTS = {_pi: exp(_i) / _TOTAL, _pj: exp(_j) / _TOTAL}
_OTHERS = r"$R$ is the sum of all other exponentials"


def derive_diagonal_entry(claimed: Expr | None = None) -> Derivation:
    """The derivative of p_i with respect to z_i is p_i (1 - p_i).

    >>> derive_diagonal_entry().conclusion, derive_diagonal_entry().answer
    (p_i*(1 - p_i), True)
    """
    return _entry("p_i/z_i", _i, _pi * (1 - _pi)).claiming(claimed)


def derive_off_diagonal_entry(claimed: Expr | None = None) -> Derivation:
    """The derivative of p_i with respect to z_j, j not i, is -p_i p_j.

    >>> derive_off_diagonal_entry().conclusion, derive_off_diagonal_entry().answer
    (-p_i*p_j, True)
    """
    return _entry("p_i/z_j", _j, -_pi * _pj).claiming(claimed)


def derive_sign_norm(claimed: Expr | None = None) -> Derivation:
    """|J u|_1 = 4 P (1 - P) for u = 1 on tokens of mass P and -1 on the others.

    >>> derive_sign_norm().conclusion
    4*P*(1 - P)
    """
    return _sign_norm().claiming(claimed)


def derive_token_derivative(claimed: Expr | None = None) -> Derivation:
    """The derivative of p_i along logits with slopes s is p_i (s_i - s), s the mean slope.

    >>> derive_token_derivative().answer
    True
    """
    return _token_derivative().claiming(claimed)


@cache
def _entry(name: str, variable: Symbol, conclusion: Expr) -> Derivation:
    top, bottom = name.split("/")
    return Derivation(
        title="Entries of the Jacobian of softmax",
        name=rf"\frac{{\partial {top}}}{{\partial {bottom}}}",
        start=Derivative(exp(_i) / _TOTAL, variable),
        steps=[
            Step(sympy.diff(exp(_i) / _TOTAL, variable), "differentiate"),
            Step(conclusion, r"$p_t = e^{z_t} / (e^{z_i} + e^{z_j} + R)$"),
        ],
        where=_WEIGHTS,
        notation=_OTHERS,
    )


@cache
def _sign_norm() -> Derivation:
    P = Symbol("P", positive=True)
    mean = 2 * P - 1
    return Derivation(
        title="The norm on a vector of signs",
        name=r"\|Ju\|_1",
        start=P * sympy.Abs(1 - mean) + (1 - P) * sympy.Abs(-1 - mean),
        steps=[
            Step(P * (1 - mean) + (1 - P) * (1 + mean), r"$|2P - 1| \le 1$"),
            Step(4 * P * (1 - P), "simplify"),
        ],
        domain={P: Interval.open(0, 1)},
        notation=r"$(Ju)_t = p_t(u_t - \sum_s p_su_s)$, with the mean $2P - 1$",
    )


@cache
def _token_derivative() -> Derivation:
    h = Symbol("h", real=True)
    si, sj, sr = sympy.symbols("s_i s_j s_R", real=True)
    moved = exp(_i + h * si) / (exp(_i + h * si) + exp(_j + h * sj) + REST * exp(h * sr))
    mean = _pi * si + _pj * sj + (1 - _pi - _pj) * sr
    return Derivation(
        title="Softmax along a direction",
        name=r"\frac{d}{dh} p_i",
        start=sympy.Subs(Derivative(moved, h), h, 0),
        steps=[Step(_pi * (si - mean), "the last bracket is the slope less its mean")],
        where=_WEIGHTS,
        notation=r"$R$ stands for all other tokens, and $s_R$ for their mean slope",
    )
