"""The Gaussian pair (u1, u2) that a dual is taken at."""

from typing import NamedTuple

from sympy import Expr, sqrt


class Pair(NamedTuple):
    """Centred Gaussians with correlation rho and variances v1, v2.

    >>> from sympy import Integer, Rational
    >>> Pair(Rational(1, 3), Integer(4), Integer(9)).covariance
    2
    """

    rho: Expr
    v1: Expr
    v2: Expr

    @property
    def spread(self) -> Expr:
        """Product of the standard deviations."""
        return sqrt(self.v1) * sqrt(self.v2)

    @property
    def covariance(self) -> Expr:
        """E u1 u2."""
        return self.rho * self.spread

    @property
    def variance_of_sum(self) -> Expr:
        """Var(u1 + u2)."""
        return self.v1 + self.v2 + 2 * self.covariance

    @property
    def variance_of_difference(self) -> Expr:
        """Var(u1 - u2)."""
        return self.v1 + self.v2 - 2 * self.covariance
