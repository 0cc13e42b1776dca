"""Formula (2) for matrices of any size: letters that do not commute, layer by layer.

A_k, its adjoint, D_k = D_{x'_k(x_1)} and E_k = D_{x'_k(x_2)} are letters; X_k, sigma, m and q_k are
numbers and commute with them. Two polynomials in such letters agree for matrices of all sizes if
they agree as polynomials.
"""

from collections.abc import Callable, Iterable
from operator import mul

from sympy import Expr, Rational, Symbol, expand

from theorems.engine import Obligations

_SIGMA, _M = Symbol("sigma", positive=True), Symbol("m", positive=True)
_HALF = Rational(1, 2)


def check_ntk_formula(
    depths: Iterable[int] = range(2, 8),
    sigma_power: int = -2,
    after: tuple[int, int] = (1, 1),
    printed_exponent: bool = False,
) -> Obligations:
    """Compare (2) at each depth with K_k = m^q_k (A_k D_k K_{k-1} E_k A_k^* + X_k), unrolled.

    Disputed: the power of sigma, the first index k + 1 of B_{k+1,l} at both inputs, and the
    exponent of Definition 5, q_{k2-1}/2 or (q_{k2} - 1)/2.

    >>> all(answer for _, answer in check_ntk_formula())
    True
    >>> [answer for _, answer in check_ntk_formula([3], sigma_power=-1)]
    [False]
    >>> [answer for _, answer in check_ntk_formula([3], after=(1, 2))]
    [False]
    """
    for depth in depths:
        kernel = _recursive_kernel(depth)
        formula = _formula(depth, sigma_power, after, printed_exponent)
        yield f"depth {depth}", bool(expand(kernel - formula) == 0)


def check_ntk_induction(sigma_power: int = -2) -> Obligations:
    """One step of the induction that proves (2) at every depth, for a generic summand.

    If D_k K_{k-1} E_k = sigma^-2 sum_{j<k} m^q_j X_j B_{j+1,k} B'_{j+1,k}^*, then the same holds
    for k + 1, by B_{j+1,k+1} = D_{k+1} m^(q_k/2) A_k B_{j+1,k} and B_{k+1,k+1} = sigma D_{k+1}.

    >>> all(answer for _, answer in check_ntk_induction())
    True
    """
    D, E, A, A_adjoint, B, B_adjoint = map(_letter, ("D", "E", "A", "A*", "B", "B'*"))
    scale, weight, inner = Symbol("c"), Symbol("c_j"), Symbol("X_j")
    summand = _SIGMA**sigma_power * weight**2 * inner * B * B_adjoint
    before = scale**2 * D * A * summand * A_adjoint * E
    above, above_adjoint = D * scale * A * B, B_adjoint * A_adjoint * scale * E
    after = _SIGMA**sigma_power * weight**2 * inner * above * above_adjoint
    yield "summands j < k", bool(expand(before - after) == 0)
    own = scale**2 * inner * D * E
    claimed = _SIGMA**sigma_power * scale**2 * inner * (_SIGMA * D) * (_SIGMA * E)
    yield "summand j = k", bool(expand(own - claimed) == 0)


def _recursive_kernel(depth: int) -> Expr:
    kernel = _scale(1) ** 2 * _product(1)
    for k in range(2, depth + 1):
        step = _letter(f"A{k}") * _letter(f"D{k}") * kernel * _letter(f"E{k}") * _letter(f"A{k}*")
        scale = _scale(k) if k < depth else 1
        kernel = expand(scale**2 * (step + _product(k)))
    return kernel


def _formula(depth: int, sigma_power: int, after: tuple[int, int], printed_exponent: bool) -> Expr:
    total = _product(depth)
    for k in range(1, depth):
        starts, rest = [k + shift for shift in after], (depth, printed_exponent)
        first = _backpropagation(starts[0], *rest, "D{}", "A{}")
        second = _backpropagation(starts[1], *rest, "E{}", "A{}*", lambda one, next_: next_ * one)
        term = _letter(f"A{depth}") * first * second * _letter(f"A{depth}*")
        total += _SIGMA**sigma_power * _scale(k) ** 2 * _product(k) * term
    return expand(total)


def _backpropagation(
    k1: int, k2: int, printed_exponent: bool, slope: str, layer: str, join: Callable[[Expr, Expr], Expr] = mul
) -> Expr:
    """B_{k1,k2} of Definition 5, or its adjoint if factors are joined in the other order."""
    product = _SIGMA * _letter(slope.format(k2))
    for k in range(k2 - 1, k1 - 1, -1):
        printed = printed_exponent and k == k2 - 1
        scale = _M ** (_HALF * (_exponent(k2) - 1)) if printed else _scale(k)
        product = join(product, scale * _letter(layer.format(k)))
        product = join(product, _letter(slope.format(k)))
    return product


def _letter(name: str) -> Symbol:
    return Symbol(name, commutative=False)


def _product(k: int) -> Symbol:
    return Symbol(f"X{k}")


def _exponent(k: int) -> Symbol:
    return Symbol(f"q{k}", real=True)


def _scale(k: int) -> Expr:
    return _M ** (_exponent(k) * _HALF)
