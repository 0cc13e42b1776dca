"""Letters of Propositions 7 and 9: the tangent kernel as a form of the last layer, and its net."""

from theorems.engine.rules import Random
from theorems.engine.statements.letters import Kind
from theorems.eoc_mlp.letters.table import LETTERS, NONNEGATIVE, POSITIVE

G = LETTERS.thing("G", "G", "last layer matrix, scaled to standard normal entries", Kind.MATRIX)
J = LETTERS.thing(
    "J", "J", "matrix that makes the tangent kernel a form of the last layer", Kind.MATRIX
)
K_fluctuation = LETTERS.thing(
    "K_fluctuation",
    r"K_\theta - \mathbb{E}_{A_l}K_\theta",
    "tangent kernel less its mean over the last layer",
    Kind.MATRIX,
)
net = LETTERS.thing("net", r"\hat N", "net of unit vectors on the unit sphere", Kind.OBJECT)
norm_j = LETTERS.quantity("norm_j", r"\|J\|", "operator norm of the matrix J", NONNEGATIVE)
frob_j = LETTERS.quantity("frob_j", r"\|J\|_F", "Frobenius norm of the matrix J", NONNEGATIVE)
norm_lifted = LETTERS.quantity(
    "norm_lifted",
    r"\|(y\boxtimes\mathcal{I})J(y'\boxtimes\mathcal{I})^*\|",
    "operator norm of J lifted by two unit vectors",
    NONNEGATIVE,
)
frob_lifted = LETTERS.quantity(
    "frob_lifted",
    r"\|(y\boxtimes\mathcal{I})J(y'\boxtimes\mathcal{I})^*\|_F",
    "Frobenius norm of J lifted by two unit vectors",
    NONNEGATIVE,
)
fluctuation = LETTERS.quantity(
    "fluctuation",
    r"\|K_\theta - \mathbb{E}_{A_l}K_\theta\|",
    "distance of the tangent kernel from its mean over the last layer",
    NONNEGATIVE,
)
fluctuation_pairs = LETTERS.quantity(
    "fluctuation_pairs",
    r"\max_{y,y'\in\hat N}|\langle y, (K_\theta - \mathbb{E}_{A_l}K_\theta)y'\rangle|",
    "largest modulus of the form of the fluctuation at two vectors of the net",
    NONNEGATIVE,
)
form_net = LETTERS.thing(
    Random("form_net"),
    r"\langle y, (K_\theta - \mathbb{E}_{A_l}K_\theta)y'\rangle",
    "form of the fluctuation at two unit vectors, random through the last layer",
    Kind.OBJECT,
)
norm_fluctuation = LETTERS.thing(
    Random("norm_fluctuation"),
    r"\|K_\theta - \mathbb{E}_{A_l}K_\theta\|",
    "norm of the fluctuation, random through the last layer",
    Kind.OBJECT,
)
net_maximum = LETTERS.quantity(
    "net_maximum",
    r"\max_{y\in\hat N}|\langle y, Ay\rangle|",
    "largest modulus of the form at one vector of the net",
    NONNEGATIVE,
)
net_pairs_maximum = LETTERS.quantity(
    "net_pairs_maximum",
    r"\max_{y,y'\in\hat N}|\langle y, Ay'\rangle|",
    "largest modulus of the form at two vectors of the net",
    NONNEGATIVE,
)
union_exponent = LETTERS.quantity(
    "union_exponent",
    "S",
    "exponent that pays for the union over the net as well as for the probability",
    NONNEGATIVE,
)
net_constant = LETTERS.number(
    "net_constant",
    "K",
    "factor by which the exponent of a union over a net exceeds that of its probability",
    POSITIVE,
)
