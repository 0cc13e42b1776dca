"""Nothing slips through: random polynomials on boxes and up to their ends."""

from fractions import Fraction

from certify_cases import DELTA, PROVED, REFUTED, UNDECIDED, UNIT, ratio
from flint import arb
from hypothesis import assume, given
from hypothesis import strategies as st
from ratios import fractions
from trying import each

from numeric.certify import (
    Box,
    Range,
    certify_nonnegative_between,
    certify_positive,
    certify_positive_between,
    certify_positive_to_end,
)
from numeric.certify.search import Statement

# Nothing slips through the cover: a polynomial that is negative anywhere is never proved.

rationals = fractions(-2, 2, max_denominator=64)
squares = st.lists(fractions(-3, 3, max_denominator=8), min_size=1, max_size=4)


def polynomial(coefficients):
    """The polynomial with these rational coefficients, lowest first, in balls or series."""

    def f(x):
        value = 0 * x
        for c in reversed(coefficients):
            value = value * x + ratio(c)
        return value

    return f


@given(squares, fractions(Fraction(1, 1000), 1, max_denominator=1000))
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


# Inequalities up to zeros at ends and to infinity: expansions are judged, not trusted.


# Zeros at ends.


def test_the_tight_inequalities_themselves():
    def f(t):
        return t.sin() - t * t.cos()

    certificate = certify_positive_between(f, "t", (0, "pi"), zero_orders=(3, 0))
    assert certificate.decision is PROVED
    assert certificate.domain == {"t": Range("0", "pi", lower_open=True)}
    assert certificate.assumptions == ()
    assert certify_positive_to_end(lambda t: t - t.sin(), "t", 0, 1, order=3).decision is PROVED


def test_margins_are_lower_bounds_and_not_idle():
    # (sin t - t cos t) / t^3 decreases on (0, 1] from 1/3 to sin 1 - cos 1 = 0.30116...
    def f(t):
        return t.sin() - t * t.cos()

    certificate = certify_positive_to_end(f, "t", 0, 1, order=3)
    least = float(arb(1).sin() - arb(1).cos())
    assert certificate.end_margin is not None
    assert 0.9 * least < certificate.end_margin < least
    assert (certificate.margin, certificate.boxes) == (None, 1)  # one cell, and it is at the end
    # 1 + x - x^2: least value 1; [0, 1] - [0, 1] in the plain enclosure leaves 0.
    interior = certify_positive(lambda x: ratio("1.1") + x - x * x, UNIT)
    assert interior.margin is not None
    assert 0.09 < interior.margin < 1.1
    assert interior.end_margin is None


@each("orders", (1, 1), (2, 3), (3, 2), (1, 4), (4, 1))
def test_zeros_at_both_ends(orders):
    p, q = orders

    def f(x):
        return x**p * (1 - x) ** q

    certificate = certify_positive_between(f, "x", (0, 1), zero_orders=orders)
    assert certificate.decision is PROVED
    assert str(certificate.domain["x"]) == "(0, 1)"
    negative = certify_positive_between(lambda x: -f(x), "x", (0, 1), zero_orders=orders)
    assert negative.decision is REFUTED
    closed = certify_nonnegative_between(f, "x", (0, 1), zero_orders=orders)
    assert (closed.decision, str(closed.domain["x"])) == (PROVED, "[0, 1]")


def test_directions_are_not_confused():
    """x^3 is positive to the right of 0 only, x^2 on both sides."""
    odd, even = lambda x: x**3, lambda x: x**2
    assert certify_positive_to_end(odd, "x", 0, 1, order=3).decision is PROVED
    assert certify_positive_to_end(odd, "x", 0, -1, order=3).decision is REFUTED
    left = certify_positive_to_end(even, "x", 0, -1, order=2)
    assert (left.decision, str(left.domain["x"])) == (PROVED, "[-1, 0)")


def test_a_zero_of_higher_order_than_claimed_is_left_open():
    certificate = certify_positive_to_end(lambda x: x**3, "x", 0, 1, order=2)
    assert certificate.decision is UNDECIDED
    assert "lower bound" in certificate.reason


def test_a_zero_of_lower_order_than_claimed_is_judged_by_its_first_coefficient():
    assert certify_positive_to_end(lambda x: x + x**2, "x", 0, 1, order=2).decision is PROVED
    assert certify_positive_to_end(lambda x: x**2 - x / 1000, "x", 0, 1, order=2).decision is REFUTED


def test_a_ball_around_zero_is_no_zero():
    """sin(pi - s) at s = 0, and a sum that cancels only in exact arithmetic."""
    for f in (lambda s: (arb.pi() - s).sin(), lambda s: ratio("1/3") + s - 1 + ratio("2/3")):
        certificate = certify_positive_to_end(f, "s", 0, 1, order=1)
        assert certificate.decision is UNDECIDED
        assert "coefficient 0 of f at s = 0 is [+/-" in certificate.reason
        assert "not exactly 0" in certificate.reason


def test_a_vouched_zero_is_recorded_as_an_assumption():
    def f(t):
        return t.sin() - 2 * t / arb.pi()

    between = {"zero_orders": (1, 1), "vanishing": "sin(pi/2) = 1"}
    certificate = certify_positive_between(f, "t", (0, "pi/2"), **between)
    assert certificate.decision is PROVED
    assert certificate.assumptions == ("f vanishes to order 1 at t = pi/2: sin(pi/2) = 1",)


def test_vouching_cannot_hide_a_coefficient_that_is_certainly_not_zero():
    def f(t):
        return t.sin() - ratio("1.000001") * 2 * t / arb.pi()

    certificate = certify_positive_between(f, "t", (0, "pi/2"), zero_orders=(1, 1), vanishing="wrong")
    assert certificate.decision is REFUTED


def test_an_end_given_as_a_ball():
    """The upper end is some number within 1/100 of 3: 4 - x is positive there, 3 - x is not."""
    box = Box(x=(0, arb(3, 0.01)))
    assert certify_positive(lambda x: 4 - x, box).decision is PROVED
    undecided = certify_positive(lambda x: 3 - x, box)
    assert undecided.decision is UNDECIDED


def test_the_domain_reaches_the_irrational_end():
    """f < 0 only within 10^-9 of pi, or zero at pi alone: never proved."""

    def near(t):
        return (arb.pi() - t) - ratio("1/1000000000")

    assert certify_positive(near, Box(t=(0, "pi"))).decision is REFUTED
    assert certify_positive(lambda t: arb.pi() - t, Box(t=(0, "pi"))).decision is UNDECIDED
    assert certify_positive(lambda t: t + arb.pi(), Box(t=("-pi", 0))).decision is UNDECIDED
    beyond = certify_positive(lambda t: 4 - t, Box(t=("-pi/2", "5/4*pi")))
    assert beyond.decision is PROVED  # 5 pi / 4 = 3.92699...
    assert certify_positive(lambda t: ratio("3.92") - t, Box(t=(0, "5/4*pi"))).decision is REFUTED


def far_end(s, delta):
    """1 - varrho(-cos s), measured from the antipode: 2 (1 - delta) + ..., zero at (0, 1) only."""
    q = 1 - s.cos()
    return 2 * (1 - delta) + (2 * delta - 1) * q - delta * 2 / arb.pi() * (s.sin() - s * s.cos())


def test_the_cosine_map_stays_below_one_at_the_antipode():
    """At s = 0 the zero exists for delta = 1 only: f is monotonic in delta there."""
    between = {"zero_orders": (2, 0), "others": DELTA}
    assert certify_nonnegative_between(far_end, "s", (0, "pi/2"), **between).decision is PROVED

    def spoiled(s, delta):
        return far_end(s, delta) - delta * (1 - s.cos()) * ratio("0.4")

    assert certify_nonnegative_between(spoiled, "s", (0, "pi/2"), **between).decision is REFUTED
