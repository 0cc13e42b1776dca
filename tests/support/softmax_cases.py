"""Logits for tests of softmax, the definition with many digits, and what rounding may leave."""

import mpmath
import numpy as np
from hypothesis import strategies as st
from mpmath import mpf

UNIT = 2.0**-52
LEAST = 1e-290  # below it floats lose digits
HUGE_BITS = 4000  # more than 1 - p costs for logits 2000 apart


@st.composite
def logit_rows(draw, least=1, most=8):
    """Ties, near ties, logits hundreds apart whose differences are no floats, two clusters."""
    size = draw(st.integers(least, most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    scale = draw(st.sampled_from([0.0, 1e-16, 1e-3, 1.0, 30.0, 200.0]))
    z = scale * rng.standard_normal(size) + draw(st.sampled_from([0.0, 0.1, -1e4]))
    if draw(st.booleans()):
        z[: size // 2] += draw(st.sampled_from([0.0, 40.0, 500.1]))
    return z


def truth(z):
    """Weights and complements, to be called with many bits."""
    exact = [mpf(float(x)) for x in z]
    odds = [mpmath.exp(x - max(exact)) for x in exact]
    total = sum(odds)
    others = [sum(odds[:i] + odds[i + 1 :]) for i in range(len(odds))]
    return [x / total for x in odds], [x / total for x in others]


def relative(found, exact):
    """Relative error, 0 where the truth is too small for digits."""
    return float(abs(mpf(float(found)) - exact) / abs(exact)) if abs(exact) > LEAST else 0.0


def dense(p, q):
    """J, by its definition."""
    size = len(p)
    return [[p[i] * q[i] if i == j else -p[i] * p[j] for j in range(size)] for i in range(size)]


# An exponential and its correction: two units in the last place. The sum of T of them: T/2 and as
# much again as each. The quotient and products: two more. Together below T + 8.
def allowed(z):
    return (len(z) + 8) * UNIT
