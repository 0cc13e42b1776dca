"""The parts of a certificate: lower bounds of a function on one cell, and the cells themselves."""

from fractions import Fraction

import pytest
from certify_cases import ratio
from flint import arb, arb_series, ctx, fmpq, fmpq_series
from hypothesis import given
from hypothesis import strategies as st
from ratios import fractions
from trying import each

from numeric.balls import float_below
from numeric.certify import working_precision
from numeric.certify.domain import Box, Edge, Interval, exact_rational, real_end
from numeric.certify.enclosure import BallFunction, descend, mean_value_bound, plain_bound, spread
from numeric.certify.exact_series import ExactSeries
from numeric.certify.expansion import ZeroEnd, _better

# A ball stores its radius rounded up in 30 bits; a bound adds up a handful of radii below 8.
ROUNDING = 2.0**-24


@pytest.fixture(autouse=True)
def _long_series():
    """Outside of a search nobody has set the length of series."""
    with working_precision(100, cap=12):
        yield


def cell(**edges):
    return {name: Edge(exact_rational(a), exact_rational(b)) for name, (a, b) in edges.items()}


def mean_value(f, names="x", **edges):
    return mean_value_bound(BallFunction(f), cell(**edges), names.split())


def lower(bound):
    return float(bound.ball.lower())


# Mean value forms whose bound is known exactly.


@each(
    "f, edge, bound, corner",
    (lambda x: x * x, (1, 2), 1, 1),  # increasing: the lower end
    (lambda x: -x * x, (1, 2), -4, 2),  # decreasing: the upper end
    (lambda x: x * x - 3 * x, (1, 2), -2.75, 1.5),  # slopes [-1, 1]: -9/4 - 1 * 1/2
    (lambda x: (x * x - 3 * x) / 4, (1, 2), -0.6875, 1.5),  # slopes [-1/4, 1/4]
    (lambda x: x * x * x, (-1, 3), 1 - 27 * 2, 1),  # slopes 3 (1 +- 2)^2, up to 27
    (lambda x: 0 * x + 5, (1, 2), 5, None),
)
def test_mean_value_bounds(f, edge, bound, corner):
    found = mean_value(f, x=edge)
    assert bound - 64 * ROUNDING <= lower(found) <= bound
    if corner is not None:
        assert found.corner["x"] == exact_rational(str(corner))


def test_mean_value_bounds_in_two_variables():
    f = lambda x, y: x * x - 3 * x - 2 * y  # noqa: E731
    found = mean_value(f, "x y", x=(1, 2), y=(0, 4))
    assert -10.75 - 64 * ROUNDING <= lower(found) <= -10.75
    assert found.corner == {"x": fmpq(3, 2), "y": 4}


def test_variables_without_series_keep_their_interval():
    f = lambda x, y: x * x - 3 * x + abs(y)  # noqa: E731
    found = mean_value(f, "x", x=(1, 2), y=(1, 4))
    assert -1.75 - 64 * ROUNDING <= lower(found) <= -1.75
    assert found.corner["y"] == fmpq(5, 2)


def test_no_mean_value_bound_without_derivatives():
    assert mean_value(lambda x: x.sqrt(), x=(0, 1)) is None
    assert mean_value(lambda x: x + arb("inf"), x=(0, 1)) is None
    assert mean_value(lambda x, y: x + y.sqrt(), "x y", x=(0, 1), y=(0, 1)) is None
    assert mean_value(abs, x=(0, 1)) is None


small = fractions(-3, 3, max_denominator=16)


@given(
    st.lists(st.lists(small, min_size=1, max_size=3), min_size=1, max_size=3),
    st.tuples(small, small),
    st.tuples(small, small),
)
def test_no_bound_exceeds_a_value(coefficients, side1, side2):
    """Random polynomials in two variables against their exact values on a grid."""

    def f(x, y):
        rows = enumerate(coefficients)
        return sum((c * x**i * y**j for i, row in rows for j, c in enumerate(row)), 0 * x)

    def in_balls(x, y):
        total = 0 * x * y
        for i, row in enumerate(coefficients):
            for j, c in enumerate(row):
                total += arb(exact_rational(c)) * x**i * y**j
        return total

    box = cell(x=sorted(side1), y=sorted(side2))
    grid = [Fraction(k, 4) for k in range(5)]
    (a, b), (c, d) = sorted(side1), sorted(side2)
    least = min(f(a + (b - a) * s, c + (d - c) * t) for s in grid for t in grid)
    for bound in (
        plain_bound(BallFunction(in_balls), box),
        mean_value_bound(BallFunction(in_balls), box, ["x", "y"]),
    ):
        if bound is not None and bound.ball.is_finite():
            assert bound.ball.lower().fmpq() <= exact_rational(least)


def test_descending_to_a_face():
    box = cell(x=(0, 1), d=(0, 1))

    def face(f):
        return descend(BallFunction(f), box, ["d"])

    assert face(lambda x, d: x - 2 * d)["d"] == Edge(fmpq(1), fmpq(1))
    assert face(lambda x, d: x + 2 * d)["d"] == Edge(fmpq(0), fmpq(0))
    assert face(lambda x, d: x + d * d - d) == box
    assert face(lambda x, d: x + (d * d - d) / 4) == box
    assert face(lambda x, d: x + abs(d)) == box
    assert face(lambda x, d: x - 2 * d)["x"] == box["x"]


def test_spread():
    f = BallFunction(lambda x, y: 3 * x + (y - 4).sqrt())
    box = cell(x=(0, 1), y=(5, 9))
    assert abs(spread(f, box, "x") - 1.5) < ROUNDING
    # y - 4 = 3 +- 2 has its root in [1, sqrt 5]
    assert 0.6 < spread(f, box, "y") < 0.75
    assert spread(f, cell(x=(0, 1), y=(2, 9)), "y") == float("inf")


# Series.


def test_a_series_that_became_too_short_is_no_series():
    """t^2 / t loses an order: its missing coefficient is unknown, not 0."""
    f = BallFunction(lambda t: t * t / t)
    at = {"t": arb(0)}
    with working_precision(53, cap=3):
        assert f.coefficients("t", at, order=2) is None
        assert BallFunction(lambda t: t * t).coefficients("t", at, order=2)[2] == 1


def test_coefficients_in_either_direction():
    f = BallFunction(lambda t: t * t * t)
    at = {"t": arb(2)}
    assert [float(c) for c in f.coefficients("t", at, 3)] == [8, 12, 6, 1]
    assert [float(c) for c in f.coefficients("t", at, 3, -1)] == [8, -12, 6, -1]
    exact = f.exact_coefficients("t", at, fmpq(2), 3, -1)
    assert [float(c) for c in exact] == [8, -12, 6, -1]


def test_slopes():
    assert BallFunction(lambda x: x * x).slope("x", {"x": arb(3)}) == 6
    assert BallFunction(lambda x: x + arb("inf")).slope("x", {"x": arb(3)}).is_nan()
    assert BallFunction(abs).slope("x", {"x": arb(3)}).is_nan()
    assert BallFunction(lambda x: arb(1)).slope("x", {"x": arb(3)}).is_nan()


def test_functions_that_accept_no_series_are_known():
    f = BallFunction(lambda x, y: x + abs(y))
    assert f.differentiable_in({"x": arb(1), "y": arb(1)}) == ("x",)


def test_complaints_are_kept():
    def f(x):
        raise ValueError("x must be even")

    function = BallFunction(f)
    assert function({"x": arb(1)}).is_nan()
    assert function.complaint == "x must be even"


# Exact series.


def series(constant=0, length=8):
    return ExactSeries(fmpq_series([constant, 1], prec=length))


@each(
    "f",
    lambda t: t.sin() * 3 - t * t.cos() + (1 + t).log() / (1 - t) - 1,
    lambda t: (t * fmpq(1, 3)).exp() * (arb(2) - t) ** 3 + (1 + t).sqrt(),
    lambda t: 2 - t.atan() * t.asin() + (1 + t).rsqrt() + +t,
    lambda t: 1 / (3 - t) + t / arb(4) - t.tan(),
    lambda t: -t + (4 + t).sqrt() + arb.pi() * t - (1 + t).exp(),
    lambda t: t.sin_cos()[0] + t.sin_cos()[1] * 5 + 2**t + arb.pi() / (1 + t),
    lambda t: (1 + t) ** -2 - (t + 1) ** arb(2) + t.erf() - (arb.pi() - t),
    lambda t: t**0 + t**1 + t**5 + fmpq(2, 3) / (1 + t),
)
def test_exact_series_are_series(f):
    """The same function of an exact series and of a series of balls; neither is wide."""
    exact = f(series())
    exact = exact.balls() if isinstance(exact, ExactSeries) else exact
    balls = f(arb_series([0, 1], prec=8))
    assert isinstance(exact, arb_series)
    for k in range(8):
        assert exact[k].overlaps(balls[k])
        assert exact[k].rad() <= balls[k].rad() + arb(2) ** -90


def test_exact_series_cancel_exactly():
    t = series()
    for f in (3 * t.sin() - t * t.cos() - 2 * t, t * arb(3) - t - t - t, t / 3 - t * fmpq(1, 3)):
        assert isinstance(f, ExactSeries)
        assert [f.balls()[k].is_zero() for k in range(5)] == [True] * 5


def test_inexact_balls_and_floats_leave_the_rationals():
    assert isinstance(series() * (arb(1) / 3), arb_series)
    assert isinstance(series() + 0.5, arb_series)
    assert isinstance(series() * arb(1, 0.5), arb_series)
    assert isinstance(series() * arb("0.5"), ExactSeries)


def test_exact_series_have_nothing_else():
    with pytest.raises(AttributeError, match="a power series has no sinh"):
        series().sinh()
    assert series().length() == 2


# Ends at which f vanishes.


def zero_end(order, direction=1, end=0, vanishing=None):
    return ZeroEnd("x", real_end(end), direction, order, vanishing)


def test_divided_bounds():
    """x^2 (3 - x) / x^2 is at least 2 on [0, 1], and so from the other end with 1 - x."""
    f = lambda x: x * x * (3 - x)  # noqa: E731
    right = zero_end(2).divided_bound(BallFunction(f), cell(x=(0, 1)))
    assert 2 - 64 * ROUNDING <= lower(right) <= 2
    mirrored = BallFunction(lambda x: f(1 - x))
    left = zero_end(2, -1, 1).divided_bound(mirrored, cell(x=("1/4", 1)))
    assert 2.25 - 64 * ROUNDING <= lower(left) <= 2.25
    shifted = BallFunction(lambda x: f(x - 2))
    away = zero_end(2, 1, 2).divided_bound(shifted, cell(x=(2, "11/4")))
    assert 2.25 - 64 * ROUNDING <= lower(away) <= 2.25


def test_divided_bounds_at_an_inexact_end():
    """sin(t) / (pi - t) on [3, pi] is at least sin(3) / (pi - 3) = 0.9966..."""
    end = zero_end(1, -1, "pi", "sin pi = 0")
    bound = end.divided_bound(BallFunction(lambda x: x.sin()), cell(x=(3, "22/7")))
    assert 0.99 < lower(bound) < 0.99667
    undivided = zero_end(1, -1, "pi").divided_bound(BallFunction(lambda x: x.sin()), cell(x=(3, "22/7")))
    assert lower(undivided) < 0


def test_divided_bounds_need_both_expansions():
    f = BallFunction(lambda x: x * (1 - x).sqrt())
    assert zero_end(1).divided_bound(f, cell(x=(0, 1))).ball.is_nan()
    assert lower(zero_end(1).divided_bound(f, cell(x=(0, "1/4")))) > 0.8
    pole = BallFunction(lambda x: x / (1 - x))
    assert zero_end(1).divided_bound(pole, cell(x=(0, 1))).ball.is_nan()
    singular = BallFunction(lambda x: x.sqrt())
    assert zero_end(1).divided_bound(singular, cell(x=(0, 1))).ball.is_nan()


def test_touching():
    lower_end, upper_end = zero_end(1), zero_end(1, -1, "pi")
    assert lower_end.touched_by(cell(x=(0, 1)))
    assert not lower_end.touched_by(cell(x=("1/1000", 1)))
    assert upper_end.touched_by(cell(x=(3, "22/7")))
    assert not upper_end.touched_by(cell(x=(0, 3)))


def test_an_end_known_as_a_ball_counts_as_a_whole():
    """Some number in [3/4, 5/4]: cells and distances must allow for all of them."""
    above, below = zero_end(1, 1, arb((1, 0), (1, -2))), zero_end(1, -1, arb((1, 0), (1, -2)))
    assert above.touched_by(cell(x=("1.2", 2)))
    assert not above.touched_by(cell(x=("1.3", 2)))
    assert below.touched_by(cell(x=(0, "0.8")))
    assert not below.touched_by(cell(x=(0, "0.7")))
    # 9/4 - x over distance 0 is least at x = 2; the distance can be 5/4, so c_1 = -1 costs 5/4.
    line = BallFunction(lambda x: ratio("9/4") - x)
    far = ZeroEnd("x", real_end(arb((1, 0), (1, -2))), 1, 0, None)
    assert lower(far.divided_bound(line, cell(x=(1, 2)))) <= 0.25


def test_obstacles_are_named():
    words = zero_end(1).obstacle(BallFunction(lambda x: 1 / x), {})
    assert words.startswith("f has no expansion at x = 0 (")
    assert "power series" in words
    short = zero_end(1).obstacle(BallFunction(lambda x: x * x / x), {})
    assert short == "f has no expansion at x = 0 (a power series is too short)"
    assert zero_end(2).obstacle(BallFunction(lambda x: x * x), {}) == ""
    assert "coefficient 1 of f at x = 0 is 2.0" in zero_end(2).obstacle(BallFunction(lambda x: 2 * x), {})


def test_the_better_of_two_enclosures():
    low, high, nothing = arb(1, 0.5), arb(2, 0.5), arb.nan()
    assert _better(low, high) is high
    assert _better(high, low) is high
    assert _better(low, nothing) is low
    assert _better(nothing, low) is low
    assert _better(nothing, nothing).is_nan()


# Cells.


@given(st.fractions(-50, 50), st.fractions(Fraction(1, 10**6), 50))
def test_halves_cover_an_edge_and_are_about_equal(start, width):
    edge = Edge(exact_rational(start), exact_rational(start + width))
    left, right = edge.halves()
    assert (left.lower, left.upper, right.upper) == (edge.lower, right.lower, edge.upper)
    share = left.width / edge.width
    assert fmpq(15, 32) <= share <= fmpq(17, 32)
    # Few digits: a multiple of a power of two not far below the width.
    assert edge.width / 64 <= fmpq(1, int(edge.middle().q)) or edge.middle().q == 1


def test_halves_of_binary_edges_are_exact():
    assert Edge(fmpq(0), fmpq(1)).middle() == fmpq(1, 2)
    assert Edge(fmpq(3, 8), fmpq(1, 2)).middle() == fmpq(7, 16)
    assert Edge(fmpq(-1), fmpq(3)).middle() == 1
    assert Edge(fmpq(1, 3), fmpq(1, 3)).middle() == fmpq(1, 3)


def test_points_certainly_inside():
    half_turn = Interval(0, "pi")
    assert half_turn.certainly_contains(fmpq(0))
    assert half_turn.certainly_contains(fmpq(3))
    assert not half_turn.certainly_contains(fmpq(-1, 10**9))
    assert not half_turn.certainly_contains(fmpq(22, 7))
    assert not half_turn.certainly_contains(half_turn.cover().upper)
    closed = Interval("1/3", "2/3")
    assert closed.certainly_contains(fmpq(2, 3))
    assert closed.cover() == Edge(fmpq(1, 3), fmpq(2, 3))


def test_ends_enclose_multiples_of_pi():
    multiples = {"pi": (1, 1), "-pi/2": (-1, 2), "3/4*pi": (3, 4), "2*pi/3": (2, 3)}
    for text, (times, over) in multiples.items():
        end = real_end(text)
        assert end.label == text
        assert end.ball().overlaps(arb.pi() * times / over)
        assert end.below() < end.above()
        assert arb(end.below()) <= end.ball().mid() <= arb(end.above())
        assert float(arb(end.above() - end.below())) < 2.0**-90


def test_boxes_combine():
    box = Box(x=(0, 1)) | Box(y=(2, 3), x=(0, 2))
    assert str(box) == "x in [0, 2], y in [2, 3]"
    assert (len(box), list(box)) == (2, ["x", "y"])


def test_floats_below():
    assert float_below(arb(1)) < 1
    assert float_below(arb(1)) > 1 - 2.0**-52
    with working_precision(200):
        assert arb(float_below(arb(1) / 3)) < arb(1) / 3
    assert ctx.prec == 100
