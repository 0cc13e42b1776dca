"""Gaussian expectations by quadrature of their definition, independent of all closed forms.

    expectation, bivariate_expectation    many digits, by mpmath, for functions of mpmath numbers
    dual_by_quadrature                    E f(u1) f(u2) for any f, in float64 or to many digits
    enclose_expectation, enclose_homogeneous_expectation, enclose_bivariate_expectation
                                          balls that contain the truth, for analytic pieces

No closed form is used here but the Gamma function of the radius, and nothing else in ``numeric``
but its arithmetic.
"""

from numeric.quadrature.digits import bivariate_expectation, expectation
from numeric.quadrature.enclosures import Growth, enclose_expectation, enclose_homogeneous_expectation
from numeric.quadrature.floats import dual_by_quadrature
from numeric.quadrature.plane import enclose_bivariate_expectation

__all__ = [
    "Growth",
    "bivariate_expectation",
    "dual_by_quadrature",
    "enclose_bivariate_expectation",
    "enclose_expectation",
    "enclose_homogeneous_expectation",
    "expectation",
]
