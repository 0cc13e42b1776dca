"""Covers of ranges by balls: what they see and what they refuse."""

import pytest
import sympy as sp
from flint import arb
from sympy import Interval

from theorems.engine.rules import NotProved
from theorems.engine.rules.certificates import ball_function, covered


class TestCovers:
    t = sp.Symbol("t", real=True)

    def test_zeros_that_only_derivatives_show(self):
        """The balls do not see that sin² + cos² - 1 is 0, so that the ends are decided exactly."""
        t = self.t
        hidden = sp.sin(t) ** 2 + sp.cos(t) ** 2 - 1 + t**2
        over = {t: Interval(0, 1)}
        assert covered(sp.Ge(hidden, 0, evaluate=False), over=over, zero_orders={t: (2, 0)})

    def test_a_zero_that_is_none_is_refused(self):
        t = self.t
        with pytest.raises(NotProved):
            covered(sp.Ge(t**2 + sp.exp(t) - 1 - t - sp.S(1) / 10**9, 0, evaluate=False),
                    over={t: Interval(0, 1)}, zero_orders={t: (2, 0)})  # fmt: skip

    @pytest.mark.parametrize(
        ("power", "at_four"),
        [(sp.Rational(1, 2), 2), (sp.Rational(-3, 2), 0.125), (sp.Rational(1, 3), 1.587401)],
    )
    def test_powers_in_balls(self, power, at_four):
        t = self.t
        found = ball_function(t**power)(t=arb(4))
        assert abs(float(found.mid()) - at_four) < 1e-6
