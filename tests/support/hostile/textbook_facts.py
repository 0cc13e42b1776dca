"""Mistakes about facts of the textbooks: they are false somewhere, or the claim in other words."""

from sympy import Rational, cos, log, sin

from hostile import LETTERS, Mistakes
from theorems.engine import both, ge, gt, half_line, implies, integers, interval, le, lt, reals

HERE = Mistakes("textbook_facts")
s = LETTERS.number("fact_s", "s", "a time", half_line(0))
t = LETTERS.number("fact_t", "t", "an angle", interval(0, 3))
u = LETTERS.number("fact_u", "u", "a number", reals())
m = LETTERS.number("fact_m", "m", "a count", integers(1))
size = LETTERS.quantity("fact_size", r"\|x\|", "a norm", half_line(0))
width = LETTERS.quantity("fact_width", "W", "a width", half_line(0))


def by_textbook(relation, **where):
    """A proof from one textbook fact."""
    return lambda given: given.follows(given.textbook("as is known", relation, **where))


def taken(refused, states, fact, letters, **record):
    """A mistake whose textbook fact is false."""

    def add(named):
        check = by_textbook(fact)
        check.__name__, check.__doc__ = named.__name__, named.__doc__
        return HERE.mistake(refused, states, letters, **record)(check)

    return add


@taken(
    "is known is false at",
    le(sin(100 * u) * cos(3 * u), Rational(87, 100)),
    lt(100 * sin(100 * u) * cos(3 * u), 87),
    [u],
)
def a_product_of_waves():
    """It is larger than 0.87 at some places."""


@taken("as is known is false at fact_u = 5", gt((u - 5) ** 2, 0), ge((u - 5) ** 2, Rational(1, 10)), [u])
def a_distance_from_five():
    """It is 0 at u = 5."""


@taken("as is known is false at", le(u, 10**5), le(u, 10**4), [u])
def a_bound_far_out():
    """It fails from u = 10001 on."""


@taken("as is known is false at fact_s = 100000", le(log(1 + s), 11), le(log(1 + s), 10), [s])
def a_bound_that_grows_slowly():
    """log(1 + s) is larger than 10 from s = 22026 on."""


@taken("as is known is false at fact_u = 0", lt(cos(u), 2 - cos(u)), lt(cos(u), 1), [u])
def a_strict_bound_of_the_cosine():
    """It is 1 at 0."""


@taken("false at fact_u = 2", lt(cos(u - 2), 2 - cos(u - 2)), lt(cos(u - 2), 1), [u])
def a_strict_bound_of_a_moved_cosine():
    """It is 1 at 2."""


@taken("as is known is false at fact_m = 3", lt(m**2, 2**m + 100), lt(m**2, 2**m + 1), [m])
def a_power_of_two():
    """9 < 2^3 + 1 is false."""


@taken("as is known is false at", le(m, 2000), le(m, 1000), [m])
def a_bound_for_counts():
    """It fails from 1001 on."""


@taken("as is known is false at fact_s = 2", le(s**2, s + Rational(1, 10**9)), le(s**2, s), [s])
def a_square_below_its_root():
    """4 > 2."""


@taken("as is known is false at fact_t = 0", gt(t * sin(t), t**2 * cos(t)), gt(sin(t), t * cos(t)), [t])
def an_inequality_at_its_end():
    """Both sides are 0 at t = 0."""


@taken("as is known is false at", le(size, 1), le(size, 1), [size])
def the_claim_itself():
    """Nothing is shown."""


@taken("as is known is false at", le(size, 1), ge(1, size), [size])
def the_claim_with_its_sides_exchanged():
    """Nothing is shown."""


@taken("as is known is false at", le(size, 1), le(2 * size, 2), [size])
def the_claim_twice():
    """Nothing is shown."""


@taken(
    "as is known is false at",
    implies(gt(size, 1), gt(width, 1)),
    implies(le(width, 1), le(size, 1)),
    [size, width],
)
def the_contrapositive():
    """Nothing is shown."""


@taken("as is known is false at", le(size, 1), both(le(size, 1), ge(width, 0)), [size])
def the_claim_among_others():
    """Nothing is shown."""
