"""Right sides of proved formulas, as they are and at infinite width; and words that recur."""

import sympy as sp
from sympy import Expr

from theorems.engine import Claim, Hypothesis
from theorems.engine.statements.statement import Formula
from theorems.infinite_attention.auxiliary.moment_propagation import OF_A_LAYER
from theorems.infinite_attention.kernel_limit.score_covariances import PROJECTIONS
from theorems.infinite_attention.letters.network import width

#: What leads from a mean at finite width to the limit.
TO_THE_LIMIT = (
    " The mean given the inputs tends to the stated limit with the inputs' mean products, by the"
    " convergence of scores and uniform integrability (Lemmas 12, 32); the variance vanishes, as"
    " the note says."
)
#: The claims by which one passes to the limit, and why what they assume is so.
SCORES_AND_MOMENTS = ("inf.lem12", "inf.lem32")
OF_THE_LAYER = {**OF_A_LAYER, PROJECTIONS: "the weights of queries and keys are so for the one scaling"}
#: The sums of Equation (22) in a sentence.
THE_SUMS = (
    r",\quad A = \langle\tilde\Theta, M\rangle,\ B = \langle\tilde\kappa,"
    r" \mathcal{D}\tilde\kappa\rangle,\ C = \langle\tilde\kappa, \mathcal{D}\tilde\Theta\rangle"
    r" \text{ with their scales, } M \text{ and } \mathcal{D} \text{ of means of products of"
    r" attention weights and of their derivatives}"
)
#: The cases of Theorem 18 and of Lemmas 21 and 23, which the page writes with symbols δ.
FOR_INDEPENDENT_WEIGHTS = (
    r"W^Q, W^K \text{ independent } (\tau \text{ a half}), \text{ equal columns } i = j:\quad "
)
FOR_EQUAL_WEIGHTS = r"W^Q = W^K\ (\tau \text{ one}), \text{ equal columns } i = j:\quad "
FOR_DIFFERENT_COLUMNS = r"\text{different columns } i \ne j:\quad "
#: Without it there are derivatives by scores of other rows, see ``inf.thm18.rows``.
ACTS_ON_ROWS = Hypothesis(
    "acts_on_rows",
    "ζ makes of each row of scores a row of attention weights, and does not see the other rows",
)
#: Why a statement for any ζ may rest on one for ζ the identity.
ONE_CASE = "the claim that assumes it is the case in which the check compares the constants"
#: Why a statement for any tangent kernel may rest on one for a multiple of the unit matrix.
DIAGONAL_CASE = "as before; of another tangent kernel only the mean over the coordinates counts in the limit"


def right_side(one: Claim, part: str = "statement") -> Expr:
    """The right side of a formula that a claim proves."""
    stated = one.parts[part]
    if not isinstance(stated, Formula):
        raise TypeError(f"{one.id} has no formula {part}")
    return stated.relation.args[1]


def at_infinite_width(side: Expr) -> Expr:
    """An expression for a layer's input of infinite width."""
    return sp.limit(sp.expand(side), width, sp.oo)
