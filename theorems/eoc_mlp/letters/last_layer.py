"""Letters of Propositions 7 and 9: the tangent kernel as a form of the last layer, and its net."""

from theorems.engine.statements.letters import Kind
from theorems.eoc_mlp.letters.table import LETTERS, POSITIVE, matrix, nonnegative, random

G = matrix("G", "G", "last layer matrix, scaled to standard normal entries")
J = matrix("J", "J", "matrix that makes the tangent kernel a form of the last layer")
K_fluctuation = matrix(
    "K_fluctuation",
    r"K_\theta - \mathbb{E}_{A_l}K_\theta",
    "tangent kernel less its mean over the last layer",
)
net = LETTERS.thing("net", r"\hat N", "net of unit vectors on the unit sphere", Kind.OBJECT)
norm_j = nonnegative("norm_j", r"\|J\|", "operator norm of the matrix J")
frob_j = nonnegative("frob_j", r"\|J\|_F", "Frobenius norm of the matrix J")
norm_lifted = nonnegative(
    "norm_lifted",
    r"\|(y\boxtimes\mathcal{I})J(y'\boxtimes\mathcal{I})^*\|",
    "operator norm of J lifted by two unit vectors",
)
frob_lifted = nonnegative(
    "frob_lifted",
    r"\|(y\boxtimes\mathcal{I})J(y'\boxtimes\mathcal{I})^*\|_F",
    "Frobenius norm of J lifted by two unit vectors",
)
fluctuation = nonnegative(
    "fluctuation",
    r"\|K_\theta - \mathbb{E}_{A_l}K_\theta\|",
    "distance of the tangent kernel from its mean over the last layer",
)
fluctuation_pairs = nonnegative(
    "fluctuation_pairs",
    r"\max_{y,y'\in\hat N}|\langle y, (K_\theta - \mathbb{E}_{A_l}K_\theta)y'\rangle|",
    "largest modulus of the form of the fluctuation at two vectors of the net",
)
form_net = random(
    "form_net",
    r"\langle y, (K_\theta - \mathbb{E}_{A_l}K_\theta)y'\rangle",
    "form of the fluctuation at two unit vectors, random through the last layer",
)
norm_fluctuation = random(
    "norm_fluctuation",
    r"\|K_\theta - \mathbb{E}_{A_l}K_\theta\|",
    "norm of the fluctuation, random through the last layer",
)
net_maximum = nonnegative(
    "net_maximum",
    r"\max_{y\in\hat N}|\langle y, Ay\rangle|",
    "largest modulus of the form at one vector of the net",
)
net_pairs_maximum = nonnegative(
    "net_pairs_maximum",
    r"\max_{y,y'\in\hat N}|\langle y, Ay'\rangle|",
    "largest modulus of the form at two vectors of the net",
)
union_exponent = nonnegative(
    "union_exponent", "S", "exponent that pays for the union over the net as well as for the probability"
)
net_constant = LETTERS.number(
    "net_constant",
    "K",
    "factor by which the exponent of a union over a net exceeds that of its probability",
    POSITIVE,
)
