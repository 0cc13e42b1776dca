"""Properties that hypotheses say of their letters, for facts about whatever has them."""

from typing import Any

from sympy.logic.boolalg import BooleanFunction

__all__ = ["lipschitz_of_normals", "separated"]


class lipschitz_of_normals(BooleanFunction):  # type: ignore[misc]  # noqa: N801
    """The statement that X is F(g), g a standard normal vector and F Lipschitz with a constant."""

    is_opaque = True

    def _latex(self, printer: Any) -> str:
        variable, constant = map(printer.doprint, self.args)
        return rf"{variable} = F(g),\ g \sim \mathcal{{N}}(0, I),\ |F|_{{Lip}} \le {constant}"


class separated(BooleanFunction):  # type: ignore[misc]  # noqa: N801
    """The statement that so many points of a unit ball are pairwise farther apart than d.

    The arguments are the number of points, the dimension of the ball, and d.
    """

    is_opaque = True

    def _latex(self, printer: Any) -> str:
        points, dimension, distance = map(printer.doprint, self.args)
        return (
            rf"{points} \text{{ points of the ball of dimension }} {dimension}"
            rf" \text{{ more than }} {distance} \text{{ apart}}"
        )
