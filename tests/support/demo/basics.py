"""Elementary inequalities."""

from fractions import Fraction

from hypothesis import strategies as st

from theorems.engine import Letters, Severity, claims_in, ge, interval, le, lt, reals

LETTERS = Letters()
x = LETTERS.number("x", "x", "any number", reals())
share = LETTERS.number("share", "s", "a share of a whole", interval(0, 1))
claim = claims_in(LETTERS)

SQUARE = claim("demo.square", at="Eq. (1)", title="Squares are not negative", states=ge(x**2, 0))


@SQUARE.proved()
def decided(given):
    """The solver decides it."""
    return given.follows()


HALF = claim(
    "demo.half",
    at="Eq. (2)",
    title="x (1 - x) is at most a quarter",
    states=le(share * (1 - share), Fraction(1, 4)),
    rests_on=[SQUARE],
)
SHARES = st.one_of(st.sampled_from([0.0, 0.5, 1.0]), st.floats(0, 1))


@HALF.tested(over=SHARES)
def product_over_bound(part):
    """Any share."""
    return {share: part}


BELOW = claim("demo.below", at="Eq. (3)", title="x squared is below x", states=lt(share**2, share))


@BELOW.refuted(severity=Severity.EDGE)
def at_one(given):
    """At 1 both sides are 1."""
    return dict.fromkeys(given.domain, 1)


BELOW_OPEN = BELOW.corrected(
    "demo.below.weak",
    title="x squared is at most x",
    states=le(share**2, share),
    excused={"exponent 2 of share": "a higher power of a share is smaller still"},
)


@BELOW_OPEN.tested(over=SHARES)
def square_over_x(part):
    """Any share."""
    return {share: part}
