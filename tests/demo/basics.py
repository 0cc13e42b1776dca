"""Elementary inequalities."""

from hypothesis import strategies as st

from theorems.engine import Measured, claim, interval, reals

SQUARE = claim(
    "demo.square",
    at="Eq. (1)",
    title="Squares are not negative",
    states=r"x^2 \ge 0",
    given={"x": reals()},
)


@SQUARE.proved(controls={"wrong": {"holds": False}})
def decided(holds=True):
    """The obligation is what the caller says."""
    return [("x^2 >= 0", holds)]


HALF = claim(
    "demo.half",
    at="Eq. (2)",
    title="x (1 - x) is at most a quarter",
    states=r"x(1-x) \le \tfrac14",
    given={"x": interval(0, 1)},
    rests_on=[SQUARE],
)


@HALF.tested(over=st.floats(0, 1), controls={"smaller": {"constant": 0.2475}})
def product_over_bound(x, constant=0.25):
    """x (1 - x) / constant."""
    return Measured(x * (1 - x) / constant)


BELOW = claim(
    "demo.below",
    at="Eq. (3)",
    title="x squared is below x",
    states=r"x^2 < x",
    given={"x": interval(0, 1)},
)


@BELOW.refuted(controls={"inside": {"x_times_four": 2}})
def at_one(x_times_four=4):
    """At x = 1 both sides are 1."""
    return [("not x^2 < x", not (x_times_four**2 < 4 * x_times_four))]


BELOW_OPEN = BELOW.corrected(
    "demo.below.weak",
    title="x squared is at most x",
    states=r"x^2 \le x",
    given={"x": interval(0, 1)},
)


@BELOW_OPEN.tested(over=st.floats(0.01, 1), controls={"smaller": {"constant": 0.99}})
def square_over_x(x, constant=1.0):
    """x^2 / (constant x)."""
    return Measured(x**2 / (constant * x))
