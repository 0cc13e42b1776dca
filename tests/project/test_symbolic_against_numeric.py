"""Two roads to the same numbers: exact expressions against digits from ball arithmetic."""

from fractions import Fraction

import mpmath
import sympy
from hypothesis import given
from hypothesis import strategies as st
from ratios import fractions
from trying import each

from numeric import cosine_maps as numeric_maps
from numeric import gradient_dependence as numeric_dependence
from numeric import limiting_ntk as numeric_ntk
from symbolic import cosine_maps, gradient_dependence

SHARES = fractions(0, 1, max_denominator=30)
OPEN = fractions(Fraction(-999, 1000), Fraction(999, 1000), max_denominator=1000)
CLOSED = OPEN | st.sampled_from([Fraction(-1), Fraction(1)])
UNIT = fractions(0, 1, max_denominator=1000)
BEYOND = fractions(Fraction(1001, 1000), 1000, max_denominator=1000)
DIGITS = 40

CASES = [
    ("varrho", CLOSED),
    ("varrho_prime", CLOSED),
    ("varrho_second", OPEN),
    ("zeta", UNIT),
    ("zeta_prime", UNIT),
    ("omega", BEYOND),
    ("omega_prime", BEYOND),
]


def assert_same_digits(exact, digits):
    """Both carry at least 40 correct digits; a unit of the last place is lost to each."""
    with mpmath.workdps(DIGITS + 10):
        reference = mpmath.mpf(sympy.N(exact, DIGITS + 10, maxn=400))
        assert abs(reference - digits) <= 2 * mpmath.mpf(10) ** (1 - DIGITS) * abs(reference)


@each("name, domain", *CASES)
def test_cosine_maps(name, domain):
    @given(domain, SHARES)
    def agree(point, share):
        exact = getattr(cosine_maps, name)(point, share)
        assert_same_digits(exact, getattr(numeric_maps, name)(point, share, digits=DIGITS))

    agree()


@given(st.tuples(st.fractions(-9, 9), st.fractions(-9, 9)).filter(any))
def test_shares(slopes):
    for name in ("delta_phi", "kappa_phi"):
        exact = getattr(cosine_maps, name)(*slopes)
        assert_same_digits(exact, getattr(numeric_maps, name)(*slopes, digits=DIGITS))


@given(CLOSED, st.integers(1, 4), SHARES)
def test_limiting_ntk_profile(point, depth, share):
    exact = cosine_maps.limiting_ntk_profile(point, depth, share)
    digits = numeric_ntk.limiting_ntk_profile(point, depth, share, digits=DIGITS)
    assert_same_digits(exact, digits)


@each("name", "integral_w1", "integral_w1w2", "bound_printed", "bound_sharp")
def test_gradient_dependence(name):
    @given(OPEN, SHARES)
    def agree(point, share):
        exact = getattr(gradient_dependence, name)(point, share)
        digits = getattr(numeric_dependence, name)(point, share, digits=DIGITS)
        assert_same_digits(exact, digits)

    agree()


@given(st.lists(st.integers(-5, 5), min_size=4, max_size=4), st.integers(-4, 4), SHARES)
def test_error(entries, second, share):
    gram, x1, x2 = [entries[:2], entries[2:]], [1, 2], [second, 2 * second + 1]
    exact = gradient_dependence.error(gram, [[c] for c in x1], [[c] for c in x2], share)
    digits = numeric_dependence.error(gram, x1, x2, share, digits=DIGITS)
    assert_same_digits(exact, digits)
