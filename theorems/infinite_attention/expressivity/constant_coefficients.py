"""Proposition 2: constant attention coefficients do not make the kernel of a convolution."""

import sympy as sp
from sympy import Abs, Expr, Rational, Symbol

from theorems.engine import (
    Given,
    Obligations,
    Provenance,
    Severity,
    eq,
    ge,
    gt,
    half_line,
    implies,
    integers,
    le,
    rules,
    sentence,
)
from theorems.engine.rules import Theorem, Vector, facts, inner, principles
from theorems.infinite_attention.letters.convolutions import (
    beyond_v,
    beyond_z,
    d_f,
    largest_error,
    signs_error,
    under_v,
    under_z,
    uniform_error,
)
from theorems.infinite_attention.letters.table import claim

_NOTE = "proofs_notes/inf_expressivity.md#constant-coefficients"

PRINTED = claim(
    "inf.prop2",
    at="Proposition 2",
    title="No constant attention coefficients make the kernel of a convolution",
    states=sentence(
        r"\text{no } {$constant_weight}^x_{ai} \in \mathbb{R}: \ \sum_{i,j}"
        r" {$input_kernel}_{ij}(x,x') {$constant_weight}^x_{ai} {$constant_weight}^{x'}_{bj} ="
        r" \sum_{k \le $d_f} {$input_kernel}_{{$filter_pixel}_a(k){$filter_pixel}_b(k)}(x,x')"
        r" / $d_f \text{ for all kernels } $input_kernel,"
        r" \text{ whatever the size } $d_f \ge $least",
        least=1,
    ),
    note=_NOTE,
)


@PRINTED.refuted(severity=Severity.EDGE, controls={"two pixels": {"least": 2}})
def filter_of_one_pixel(least: int) -> Obligations:
    """The coefficient one at the only pixel under the filter, which every pixel has.

    A form in the kernel is that of the convolution at all kernels if its matrix is: zᵀz = I/d_f at
    the pixels under the filter. The coefficients can only be 1/√d_f there, up to signs.
    """
    coefficients = sp.ones(1, least) / sp.sqrt(least)
    matrix = coefficients.T * coefficients
    yield "the same form in the kernel", bool(matrix == sp.eye(least) / least)


CORRECTED = PRINTED.corrected(
    "inf.prop2.corrected",
    title="With two pixels under the filter, constant coefficients are no better than none",
    states={"all coefficients": ge(largest_error, 1 / d_f), "equal coefficients": le(uniform_error, 1 / d_f)},
    given={d_f: integers(2)},
    note=_NOTE,
)

#: Coefficients at two pixels under the filter.
_z, _w = sp.symbols("z w", real=True)
#: The kernel at these pixels: its diagonal, and the entry beside it.
_p, _r = sp.symbols("p r", nonnegative=True)
_q = Symbol("q", real=True)


def _error(p: Expr, q: Expr, r: Expr) -> Expr:
    """How far attention is from the convolution at a kernel that vanishes at all other pixels."""
    return Abs(_z**2 * p + 2 * _z * _w * q + _w**2 * r - (p + r) / d_f)


@CORRECTED.proved("all coefficients")
def kernel_across_the_coefficients(given: Given) -> Theorem:
    """The kernel of (w, -z) has the entry 0 under attention with the coefficients z and w."""
    of_two_pixels = [sp.Eq(_p + _r, 1), sp.Le(_q**2, _p * _r), sp.Ge(d_f, 2)]
    each = given.largest(
        "largest error, which two pixels have if there are two",
        ge(largest_error, _error(_p, _q, _r)),
        under=of_two_pixels,
    )
    over = {**given.domain, _z: sp.Reals, _w: sp.Reals}
    some = [sp.Gt(_z**2 + _w**2, 0)]
    size = _z**2 + _w**2
    across = {_p: _w**2 / size, _q: -_z * _w / size, _r: _z**2 / size}
    first = {_p: sp.Integer(1), _q: sp.Integer(0), _r: sp.Integer(0)}
    there = each.at(across, over=over, under=some)
    here = each.at(first, over=over)
    return given.follows(there, here)


@CORRECTED.proved("equal coefficients")
def both_below_the_trace(given: Given) -> Theorem:
    """Both kernels are at least 0 and at most the trace under the filter over its size."""
    share, ratio = sp.symbols("share ratio", nonnegative=True)
    unit = sp.Interval(0, 1)
    scaled = Symbol("d_f times the error", nonnegative=True)
    each = rules.follows(le(Abs(ratio * share - share), 1), over={share: unit, ratio: unit})
    top = principles.supremum(each, scaled, over={scaled: half_line(0)})
    error = given.meaning("the error", eq(uniform_error, scaled / d_f))
    return given.follows(error, top.at({scaled: d_f * uniform_error}, over=given.domain))


SIGNS = claim(
    "inf.prop2.signs",
    at="Proposition 2, proof",
    title="Coefficients that serve all diagonal kernels miss others by nearly the whole trace",
    states=eq(signs_error, 1 - 1 / d_f),
    given={d_f: integers(2)},
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@SIGNS.proved()
def kernel_along_the_coefficients(given: Given) -> Theorem:
    """The form of the coefficients is at most the trace, and is the trace at their own kernel."""
    share, ratio, part = sp.symbols("share ratio part", nonnegative=True)
    unit = sp.Interval(0, 1)
    form, trace = sp.symbols("form trace", nonnegative=True)
    errors = given.largest(
        "largest error, at kernels of any form of the coefficients up to the trace, which is at most one",
        ge(signs_error, Abs(form - trace / d_f)),
        over={form: unit, trace: unit},
        under=[le(form, trace)],
    )
    along = errors.at({form: 1, trace: 1})
    over = {share: unit, ratio: unit, part: sp.Interval(0, Rational(1, 2))}
    each = rules.follows(le(Abs(ratio * share - share * part) / (1 - part), 1), over=over)
    every = Symbol("largest for any size of the filter", real=True)
    words = "error of all sizes of filters, over what it is for two pixels of one"
    top = principles.supremum(each, every, over={every: sp.Reals}, what=words)
    error = given.largest(words, le(signs_error / (1 - 1 / d_f), every))
    return given.follows(along, error, top)


def _norm(one: Vector) -> Expr:
    return inner(one, one)


_WEIGHTED = _norm(under_z) / 2 + _norm(beyond_z)
_DIFFERENCE = (inner(under_z, under_v) + inner(beyond_z, beyond_v)) ** 2 - _norm(under_v) / d_f
_a, _b = sp.symbols("a b", real=True)
_SIZES = sp.symbols("Z V z v", nonnegative=True)


def _weighted() -> Theorem:
    """(a + b)² ≤ (Z/2 + z)(2V + v) where a² ≤ ZV and b² ≤ zv."""
    Z, V, z, v = _SIZES
    under = [le(_a**2, Z * V), le(_b**2, z * v)]
    product = rules.follows(le((2 * _a * _b) ** 2, (Z * v / 2 + 2 * z * V) ** 2), under=under)
    mixed = rules.follows(le(2 * _a * _b, Z * v / 2 + 2 * z * V), [product], under=under)
    return rules.follows(le((_a + _b) ** 2, (Z / 2 + z) * (2 * V + v)), [mixed], under=under)


BEST = claim(
    "inf.prop2.best",
    at="Proposition 2",
    title="Which constant coefficients are best with two pixels under the filter, or more",
    states={
        "sufficient": implies(
            le(_WEIGHTED, 1 / d_f), le(Abs(_DIFFERENCE), (_norm(under_v) + _norm(beyond_v)) / d_f)
        ),
        "necessary": implies(
            gt(_WEIGHTED, 1 / d_f),
            gt(
                (_norm(under_z) / 2 + _norm(beyond_z)) ** 2 - _norm(under_z / 2) / d_f,
                (_norm(under_z / 2) + _norm(beyond_z)) / d_f,
            ),
        ),
    },
    given={d_f: integers(2)},
    provenance=Provenance.DERIVED,
    note=_NOTE,
)


@BEST.proved("necessary")
def half_of_the_coefficients(given: Given) -> Theorem:
    """The vector that is half the coefficients under the filter, and all of them elsewhere."""
    return given.follows(*(facts.positive_definite(one) for one in (under_z, beyond_z)))


@BEST.proved("sufficient")
def weighted_cauchy_schwarz(given: Given) -> Theorem:
    """The square of the sum of both products is at most (|z_N|²/2 + |z|²)(2|v_N|² + |v|²)."""
    vectors = (under_z, under_v, beyond_z, beyond_v)
    known = [facts.cauchy_schwarz(under_z, under_v), facts.cauchy_schwarz(beyond_z, beyond_v)]
    signs = [facts.positive_definite(one) for one in vectors]
    products = {_a: inner(under_z, under_v), _b: inner(beyond_z, beyond_v)}
    sizes = dict(zip(_SIZES, map(_norm, vectors), strict=True))
    under = [one.statement for one in (*known, *signs)]
    square = _weighted().at({**products, **sizes}, under=under)
    return given.follows(*known, *signs, square)
