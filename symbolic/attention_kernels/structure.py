"""The kernel of an attention layer as a function of kernels, and the tangent kernel from it.

With V the kernel of two inputs as the values see it and S as queries and keys do,

    kappa_ab(V, S) = sigma_OV^2 sum_ij V_ij E zeta(G_ai) zeta(G'_bj),

where the scores have variances that V and S do not change, and the covariance
sigma_QK^2 S_ab S_ij. By Price's theorem the derivative of such a mean by the covariance is
E zeta'(G_ai) zeta'(G'_bj). Along the paths V + step (V + TV) and S + step (S + TS), TV and TS being
the tangent kernels of what values, queries and keys see, the tangent kernel of the output is

    Theta_ab = kappa_ab + d kappa_ab / d step at step = 0.

That is Equation (22) of "Infinite attention"; scores that are constant (tau = 1) do not move.
"""

from collections.abc import Callable
from typing import Any

from sympy import Add, Expr, Function, Symbol, diff

from symbolic.arguments import choice
from symbolic.dual_activations import list_activations

_STEP = Symbol("step", real=True)

#: Of the tokens a, b, i, j, and the covariance of the scores G_ai and G'_bj.
MeanOfProduct = Callable[[int, int, int, int, Expr], Expr]


class ScoreMean(Function):  # type: ignore[misc]
    """E f(u1) f(u2) for f the derivative of zeta of some order, and a Gaussian pair (u1, u2).

    The arguments are the order, the covariance of the pair, and its variances.
    """

    nargs = 4

    def fdiff(self, argindex: int = 2) -> Expr:
        """Price's theorem: the derivative by the covariance has derivatives of zeta."""
        if argindex != 2:
            raise ValueError("a mean of scores is differentiated by the covariance only")
        order, *pair = self.args
        return ScoreMean(order + 1, *pair)


def output_kernel(values: Any, scores: Any, place: tuple[int, int], mean: MeanOfProduct) -> Expr:
    """sum_ij V_ij times the mean of the product of weights, at the tokens (a, b) = `place`."""
    a, b = place
    rows, columns = values.shape
    return Add(
        *(
            values[i, j] * mean(a, b, i, j, scores[a, b] * scores[i, j])
            for i in range(rows)
            for j in range(columns)
        )
    )


def output_tangent_kernel(
    values: tuple[Any, Any], scores: tuple[Any, Any], place: tuple[int, int], mean: MeanOfProduct
) -> Expr:
    """The kernel and its derivative along the paths; `values` are V and TV, `scores` S and TS."""
    moved, seen = (kernel + _STEP * (kernel + tangent) for kernel, tangent in (values, scores))
    kernel = output_kernel(moved, seen, place, mean)
    return kernel.subs(_STEP, 0) + diff(kernel, _STEP).subs(_STEP, 0)


def check_zeta(zeta: Any, *also: str) -> None:
    """Refuse what is no name of an activation, or one of the other names, naming `zeta`."""
    choice(zeta, "zeta", (*(one.name for one in list_activations()), *also))


def check_tangent(zeta: str) -> None:
    """Refuse the names of jumping zeta, whose derivative is no function, by a ValueError."""
    if zeta in {"sign", "step"}:
        raise ValueError(f"zeta must have a derivative that is a function, got {zeta!r}")
