"""The norm of J from the largest entry to the sum of entries: subsets with mass next to 1/2."""

from typing import Any

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray

from numeric.arguments import Floats, real_array
from numeric.softmax_jacobian.norms import of_digits
from numeric.softmax_jacobian.weights import Weights, checked_logits, plain, weights_of

#: To find a subset of mass 1/2 is the partition problem: 2^(T/2) sums are sorted for T tokens.
MOST_TOKENS = 36
_MOST_BITS = 1 << 28  # of these sums, if they are exact


def infinity_to_one_norm(logits: Any, *, digits: int | None = None) -> Any:
    """max |J u|_1 over |u|_inf <= 1, which is max 4 P (1 - P) over the masses P of subsets.

    If the largest weight p is at least 1/2 the value is 4 p (1 - p), for any T. Otherwise subsets
    are searched, by meeting in the middle.

    logits of shape (T,); the result is a float good to a few units in the last place, or with
    digits= an mpf with so many correct digits.
    Raises ValueError for more than MOST_TOKENS = 36 logits without a weight of at least 1/2 (fewer
    with more than some 250 digits): see `infinity_to_one_bounds`.
    Source: derived from "Shallow transformers", Fact 1, which bounds it by 2.

    >>> infinity_to_one_norm([0, 0]), infinity_to_one_norm([0] * 3), infinity_to_one_norm([7])
    (1.0, 0.8888888888888888, 0.0)
    >>> infinity_to_one_norm([0] * 37)
    Traceback (most recent call last):
    ...
    ValueError: logits must have at most 36 entries unless one weight is at least 1/2, got 37
    """
    if digits is not None:
        return of_digits(logits, digits, _norm_ball)
    w = _one_row(logits)
    if w.rest[0] <= 0.5:
        return float(4 * w.largest_weight[0] * w.rest[0])
    chosen = _searched(w.p)
    return float(1 - (np.sum(w.p[chosen]) - np.sum(w.p[~chosen])) ** 2)


def best_subset(logits: Any) -> NDArray[np.bool_]:
    """A subset of the tokens whose mass is next to 1/2: u = 1 on it, -1 elsewhere attains the norm.

    logits of shape (T,); the result marks the subset: the token of the largest weight alone if that
    is at least 1/2, and otherwise one without the last token. Raises as `infinity_to_one_norm`
    does.
    Source: derived from "Shallow transformers", Fact 1.

    >>> best_subset([np.log(3), 0, 0, np.log(2)])
    array([ True, False, False, False])
    """
    w = _one_row(logits)
    if w.rest[0] <= 0.5:
        return np.asarray(np.arange(len(w.p)) == w.largest[0])
    return _searched(w.p)


def infinity_to_one_bounds(logits: Any) -> tuple[Any, Any]:
    """Bounds of `infinity_to_one_norm` in time proportional to T, with p the largest weight.

    Both are 4 p (1 - p) if p >= 1/2; otherwise 1 - p^2 (attained by an odd number of equal weights)
    and 1.

    logits of shape (..., T); two floats, or arrays of the leading shape.
    Source: derived from "Shallow transformers", Fact 1, which has the upper bound 2.

    >>> infinity_to_one_bounds([0, 0, 0]), infinity_to_one_bounds([np.log(3), 0])
    ((0.888888888888889, 1.0), (0.75, 0.75))
    """
    w = weights_of(checked_logits(logits))
    p, rest = w.largest_weight[..., 0], w.rest[..., 0]
    exact = 4 * p * rest
    lower = np.where(rest <= 0.5, exact, (1 - p) * (1 + p))
    return plain(lower), plain(np.where(rest <= 0.5, exact, 1.0))


def _one_row(logits: Any) -> Weights:
    return weights_of(checked_logits(real_array("logits", logits, shape=("T",))))


def _refuse_many(count: int) -> None:
    if count > MOST_TOKENS:
        raise ValueError(
            f"logits must have at most {MOST_TOKENS} entries unless one weight is at least 1/2, got {count}"
        )


def _searched(p: Floats) -> NDArray[np.bool_]:
    """Mark a subset without the last token, of mass as close to 1/2 as floats can tell."""
    _refuse_many(len(p))
    half = len(p) // 2
    left, right = _sums(p[:half]), _sums(p[half:-1])
    order = np.argsort(left)
    after = np.clip(np.searchsorted(left[order], 0.5 - right), 1, max(1, len(left) - 1))
    candidates = np.stack([after - 1, np.minimum(after, len(left) - 1)])
    gaps = np.abs(left[order][candidates] + right - 0.5)
    side, code = np.unravel_index(np.argmin(gaps), gaps.shape)
    codes = (int(order[candidates[side, code]]), int(code))
    bits = [codes[0] >> i & 1 for i in range(half)]
    bits += [codes[1] >> i & 1 for i in range(len(p) - 1 - half)]
    return np.array([*bits, 0], dtype=bool)


def _sums(p: Floats) -> Floats:
    """The sums of all subsets: entry n takes the weights at the binary digits of n."""
    sums = np.zeros(1)
    for weight in p:
        sums = np.concatenate([sums, sums + weight])
    return sums


def _norm_ball(p: list[arb], complement: list[arb]) -> arb:
    """The value at the largest weight if it is at least 1/2, else from integers near 2^k p."""
    # At a largest weight of 1/2 the two ways agree, and at either side of it only one is taken.
    if p[0] >= complement[0]:
        return 4 * p[0] * complement[0]
    _refuse_many(len(p))
    bits = ctx.prec
    if bits << (len(p) // 2) > _MOST_BITS:
        raise ValueError(
            f"logits must have fewer entries for so many digits unless one weight is at least 1/2: "
            f"2^{len(p) // 2} sums of {bits} bits are more than {_MOST_BITS} bits"
        )
    scaled = [x * arb((1, bits)) for x in p]
    rounded = [_floor(x) for x in scaled]
    error = sum((abs(x - n) for x, n in zip(scaled, rounded, strict=True)), arb(0)).upper()
    # The difference of two complementary sums moves by no more than all weights together.
    gap = arb(_least_gap(rounded), error) / arb((1, bits))
    return 1 - gap * gap


def _floor(x: arb) -> int:
    mantissa, exponent = (int(part) for part in x.mid().man_exp())
    return mantissa << exponent if exponent >= 0 else mantissa >> -exponent


def _least_gap(p: list[int]) -> int:
    """The least difference of the sums of a subset of integers and of its complement."""
    half, total = len(p) // 2, sum(p)
    left, right = (sorted(_integer_sums(part)) for part in (p[:half], p[half:]))
    best, i, j = total, 0, len(right) - 1
    while i < len(left) and j >= 0:
        excess = 2 * (left[i] + right[j]) - total
        best = min(best, abs(excess))
        i, j = (i, j - 1) if excess > 0 else (i + 1, j)
    return best


def _integer_sums(p: list[int]) -> list[int]:
    sums = [0]
    for weight in p:
        sums += [one + weight for one in sums]
    return sums
