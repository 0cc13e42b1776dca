"""Nothing slips through: random polynomials on boxes and up to their ends."""

from fractions import Fraction

from certify_cases import PROVED, REFUTED, UNDECIDED, ratio
from flint import arb
from hypothesis import assume, given
from hypothesis import strategies as st
from trying import each

from numeric.certify import Box, certify_positive, certify_positive_between, certify_positive_to_end
from numeric.certify.search import Statement

# Nothing slips through the cover: a polynomial that is negative anywhere is never proved.

rationals = st.fractions(-2, 2, max_denominator=64)
squares = st.lists(st.fractions(-3, 3, max_denominator=8), min_size=1, max_size=4)


def polynomial(coefficients):
    """The polynomial with these rational coefficients, lowest first, in balls or series."""

    def f(x):
        value = 0 * x
        for c in reversed(coefficients):
            value = value * x + ratio(c)
        return value

    return f


@given(squares, st.fractions(Fraction(1, 1000), 1, max_denominator=1000))
def test_polynomials_with_positive_minimum_are_never_refuted(root, gap):
    p = polynomial(root)
    certificate = certify_positive(lambda x: p(x) ** 2 + ratio(gap), Box(x=(-2, 2)))
    assert certificate.decision is PROVED
    assert certificate.margin is not None
    assert (
        0
        <= certificate.margin
        <= min(
            float(sum(c * x**k for k, c in enumerate(root)) ** 2 + gap) * (1 + 2**-50)
            for x in (Fraction(-2), Fraction(0), Fraction(1, 3), Fraction(2))
        )
    )


@given(squares, rationals)
def test_polynomials_with_a_zero_are_never_proved(root, zero):
    """(x - zero)^2 (1 + p^2) vanishes at one rational point, split point or end included."""
    p = polynomial(root)

    def f(x):
        return (x - ratio(zero)) ** 2 * (1 + p(x) ** 2)

    assert certify_positive(f, Box(x=(-2, 2)), max_boxes=500).decision is not PROVED


@given(squares, rationals, rationals)
def test_polynomials_in_two_variables_with_a_negative_point_are_never_proved(root, a, b):
    p = polynomial(root)

    def f(x, y):
        return (x - ratio(a)) ** 2 * (1 + p(y) ** 2) + (y - ratio(b)) ** 2 - ratio("1/10000")

    certificate = certify_positive(f, Box(x=(-2, 2), y=(-2, 2)), max_boxes=2000)
    assert certificate.decision is not PROVED


@given(rationals, st.integers(1, 3))
def test_a_zero_beside_an_expanded_end_is_never_proved(zero, order):
    """x^p (x - zero)^2 on (0, 2]: the expansion at 0 must not swallow the zero inside."""
    assume(zero > 0)

    def f(x):
        return x**order * (x - ratio(zero)) ** 2

    certificate = certify_positive_to_end(f, "x", 0, 2, order=order, max_boxes=500)
    assert certificate.decision is not PROVED


@given(rationals, st.integers(1, 3))
def test_a_sign_change_beside_an_expanded_end_is_refuted(zero, order):
    assume(zero > Fraction(1, 8))
    for side in (1, -1):

        def f(x, side=side):
            return (side * x) ** order * (x - side * ratio(zero)) * (-side)

        certificate = certify_positive_to_end(f, "x", 0, 3 * side, order=order)
        assert certificate.decision is REFUTED
        assert abs(certificate.witness.point["x"]) >= zero


# The search itself.


def test_what_a_bound_proves_and_a_value_refutes():
    strict, weak = (Statement(lambda: arb(0), Box(), strict=s) for s in (True, False))
    assert [strict.proves(arb(x)) for x in (1, 0, -1)] == [True, False, False]
    assert [weak.proves(arb(x)) for x in (1, 0, -1)] == [True, True, False]
    assert [strict.refutes(arb(x)) for x in (1, 0, -1)] == [False, True, True]
    assert [weak.refutes(arb(x)) for x in (1, 0, -1)] == [False, False, True]
    for statement in (strict, weak):
        for vague in (arb.nan(), arb("inf"), arb("-inf"), arb(0, "inf"), arb(0, 1)):
            assert not statement.proves(vague)
            assert not statement.refutes(vague)


@each(
    "f, witness",
    (lambda x, y: abs(x) + abs(1 - y), {"x": 0, "y": 1}),
    (lambda x, y: abs(1 - x) + abs(y), {"x": 1, "y": 0}),
    (lambda x, y: abs(x) + abs(y), {"x": 0, "y": 0}),
)
def test_corners_are_tried(f, witness):
    """Without derivatives nothing else would lead to a zero at one corner alone."""
    assert certify_positive(f, Box(x=(0, 1), y=(0, 1))).witness.point == witness


def test_a_box_between_two_zeros_is_cut_across():
    f = lambda x, y: x * (1 - x) * (4 + y)  # noqa: E731
    certificate = certify_positive_between(f, "x", (0, 1), zero_orders=(1, 1), others=Box(y=(0, 1)))
    assert certificate.decision is PROVED
    assert (certificate.boxes, certificate.depth) == (3, 1)


def test_the_smallest_boxes_are_of_half_the_precision():
    """At a zero inside, one edge is cut in half 32 times at 64 bits; an edge of no width never."""
    f = lambda x, y: (x - ratio("1/3")) ** 2 * y  # noqa: E731
    certificate = certify_positive(f, Box(x=(0, 1), y=(1, 1)), prec=64)
    assert (certificate.decision, certificate.depth) == (UNDECIDED, 32)
    assert "remains on the smallest box x in [0.33333" in certificate.reason


def test_the_edge_that_matters_is_cut():
    """f hardly depends on y: cutting y in turn with x would take about twice the cells."""
    flat = lambda x: abs(x) + ratio("1/64")  # noqa: E731
    one = certify_positive(lambda x: flat(x) - x * x / 2, Box(x=(-1, 1)))
    two = certify_positive(lambda x, y: flat(x) - x * x / 2 + y / 10**6, Box(x=(-1, 1), y=(0, 1)))
    assert (one.decision, two.decision) == (PROVED, PROVED)
    assert two.boxes <= one.boxes + 2


def test_no_edge_is_starved_where_f_is_unbounded():
    """log y at y = 0 is unbounded, and x decides: both edges must be cut."""
    f = lambda x, y: (y + ratio("1/10") + x * x).log() + 3  # noqa: E731
    assert certify_positive(f, Box(x=(-4, 4), y=(0, 4))).decision is PROVED


def test_errors_of_domain_are_quoted():
    def f(x):
        if x.contains(ratio("1/3")):
            raise ValueError("x must not be a third")
        return x + 1

    certificate = certify_positive(f, Box(x=(0, 1)), prec=32)
    assert certificate.reason.endswith("x must not be a third")
    assert certificate.depth == 16
