"""The hypotheses that claims of the paper share, beyond the domains of their letters.

They are named by what they say, and grouped as the letters are: the activation function, the
architecture, the inputs, one layer, and the events on which the simultaneous bounds hold.  A
hypothesis mentions letters only where every claim that assumes it binds them.
"""

from sympy import And, Eq, Ge, Gt, Le, Lt, Ne, Rational, cos, pi, sqrt

from theorems.engine.rules.vocabulary import E
from theorems.engine.rules.vocabulary import normal as is_normal
from theorems.engine.statements.hypotheses import Hypothesis
from theorems.eoc_mlp.letters.activation import DELTA, SIGMA, a, asymmetry, b, u1, u2
from theorems.eoc_mlp.letters.cosines import rho, t, w_k, w_tilde, z, z_1_input, zeta
from theorems.eoc_mlp.letters.distances import z1, z2
from theorems.eoc_mlp.letters.gradients import tau1, tau2, w_1, w_2
from theorems.eoc_mlp.letters.network import M, gamma, k1, k2, l, m
from theorems.eoc_mlp.letters.simultaneous import H, Q, epsilon_prime, nu, v_least
from theorems.eoc_mlp.letters.tails import normal

# Random variables, and matrices of any size.
STANDARD_NORMAL = Hypothesis(
    "standard_normal",
    "$normal is a standard normal variable",
    formula=And(is_normal(normal), Eq(E(normal**2), 1, evaluate=False)),
)
SYMMETRIC = Hypothesis("symmetric", "the matrix A is symmetric", latex="A = A^*")

# The activation function.
NOT_BOTH_ZERO = Hypothesis(
    "not_both_zero",
    "the coefficients of the activation function are not both zero",
    formula=Gt(a**2 + b**2, 0, evaluate=False),
)
ABSOLUTE_VALUE = Hypothesis(
    "absolute_value",
    "the activation function is the absolute value, up to a factor",
    latex=r"\Delta_\phi = 1",
)
DERIVATIVE_AT_ZERO = Hypothesis(
    "derivative_at_zero",
    "no preactivation vanishes, or the activation function is linear, or the derivative at a"
    " vanishing preactivation is taken to be that of the linear part",
)
ASYMMETRY = Hypothesis(
    "asymmetry",
    "$asymmetry is how far the squared slopes on both sides of zero are from their mean",
    formula=Eq(asymmetry, 2 * a * b / (a**2 + b**2), evaluate=False),
)
RULE_IS_DERIVED = Hypothesis(
    "rule_is_derived",
    "the activation function is a polynomial, or one of those for which the rule is derived one by one",
)

# The architecture.
EQUAL_SCALINGS = Hypothesis(
    "equal_scalings", "(3): the scaling coefficients of all layers are equal", latex=r"q_1 = \dots = q_l"
)
SQUARE_WIDTHS = Hypothesis(
    "square_widths",
    "(4): the width of a hidden layer is the square of its index times the unit of width",
    latex=r"m_k = k^2m",
)
WIDE_LAYERS = Hypothesis("wide_layers", "every hidden layer has at least eight units", latex=r"m_k \ge 8")
WIDE_ENOUGH = Hypothesis(
    "wide_enough",
    "the unit of width is at least a number that depends on the depth, the activation function"
    " and the inputs",
    latex=r"m \ge m_0(l, \Delta_\phi, x_1, \dots, x_n)",
)
WIDTH_OF_LAYER = Hypothesis(
    "width_of_layer",
    "$M, the width of the layer, is $gamma times the unit of width",
    formula=Eq(M, gamma * m, evaluate=False),
)
BELOW = Hypothesis(
    "below",
    "the layer to which one propagates back lies below the one from which one does",
    formula=Lt(k1, k2, evaluate=False),
)
NOT_ABOVE = Hypothesis(
    "not_above",
    "the layer to which one propagates back is not above the one from which one does",
    formula=Le(k1, k2, evaluate=False),
)

# The inputs.
INPUTS_NONZERO = Hypothesis("inputs_nonzero", "no input vanishes", latex=r"x_i \ne 0")
UNIT_INPUTS = Hypothesis("unit_inputs", "all inputs have length 1", latex=r"\|x_i\| = 1")
DISTINCT = Hypothesis("distinct", "the inputs are pairwise distinct", latex=r"x_i \ne x_j")
NOT_PARALLEL = Hypothesis(
    "not_parallel", "no two inputs are parallel: none is a multiple of another, be it negative or zero"
)

# One layer, and the activations that enter it.
ALIVE = Hypothesis("alive", "the activation that enters the layer of the random matrix does not vanish")
BOTH_ALIVE = Hypothesis(
    "both_alive", "neither of the two activations that enter the layer of the random matrix vanishes"
)
ALL_ALIVE = Hypothesis(
    "all_alive", "no activation of an input vanishes in any layer", latex=r"x_k(x_i) \ne 0"
)
ZERO_IS_ORTHOGONAL = Hypothesis(
    "zero_is_orthogonal", "the cosine with an activation that vanishes counts as zero"
)
NONZERO_PREACTIVATIONS = Hypothesis(
    "nonzero_preactivations",
    "neither preactivation of the unit vanishes, which has probability one",
    formula=And(Ne(z1, 0, evaluate=False), Ne(z2, 0, evaluate=False)),
)
NONZERO_DISTANCE = Hypothesis(
    "nonzero_distance",
    "the two directions differ, and for the absolute value they are not opposite either",
    formula=Gt(zeta(z, DELTA), 0, evaluate=False),
)
MATRICES_NONZERO = Hypothesis(
    "matrices_nonzero", "no backpropagation matrix that ends below the layer of the random matrix vanishes"
)
QUARTER_NET = Hypothesis(
    "quarter_net",
    "every unit vector of the output space is within a quarter of a vector of the net, and these"
    " are unit vectors",
)
HERMITIAN_BLOCKS = Hypothesis(
    "hermitian_blocks",
    "a block and the one across the diagonal are adjoint to each other",
    latex=r"K_{ji} = K_{ij}^*",
)
ORTHONORMAL_BASIS = Hypothesis(
    "orthonormal_basis",
    "the columns of the matrices Q are orthonormal, and span the activations of their layer",
    latex=r"Q_k^*Q_k = \mathcal{I}, \quad Q_kQ_k^*x_k(x_i) = x_k(x_i)",
)
TYPICAL_EVENT = Hypothesis(
    "typical_event",
    "moments are taken on an event whose complement has a probability that falls exponentially"
    " with the width",
    latex=r"\mathbb{P}(E) \ge 1 - O(e^{-cm})",
)

# The events on which simultaneous bounds hold, and how small their radii are.
EVENT_8 = Hypothesis(
    "event_8",
    "(8): the length of every activation is close to that of the layer below",
    latex=r"\Bigl|\tfrac{\|x_k(x_i)\|}{\|x_{k-1}(x_i)\|} - 1\Bigr| \le \tfrac{\epsilon}{k-1}",
)
EVENT_9 = Hypothesis(
    "event_9",
    "(9): the proxy of every distance is close to its limit",
    latex=r"|D - \zeta(z_{k-1})^{1/2}| \le"
    r" \zeta(z_{k-1})^{1/2}\tfrac{z_{k-1}}{\zeta(z_{k-1})}\tfrac{\epsilon}{k-1}",
)
EVENT_10 = Hypothesis(
    "event_10",
    "(10): the operator norms of backpropagation matrices grow little in every layer",
    latex=r"\|B_{k_1,k_2}\| \le \bigl(1 + \tfrac{\beta}{k_2-1}\bigr)\|B_{k_1,k_2-1}\|"
    r" + \tfrac{\kappa_\phi}{(k_2-1)\sqrt m}\|B_{k_1,k_2-1}\|_F",
)
EVENT_11_12 = Hypothesis(
    "event_11_12",
    "(11), (12): the squared Frobenius norms of backpropagation matrices begin close to 1 and"
    " change little in every layer",
    latex=r"\bigl|\|B_{k,k}\|_F^2 - 1\bigr| \le \tfrac{\epsilon}{k-1}, \quad"
    r" \Bigl|\tfrac{\|B_{k_1,k_2}\|_F^2}{\|B_{k_1,k_2-1}\|_F^2} - 1\Bigr| \le"
    r" \tfrac{\epsilon}{k_2-1}",
)
EVENTS_OF_A_LAYER = Hypothesis(
    "events_of_a_layer",
    "in the layer, the lengths, the proxies of distances and the differences of the lengths obey"
    " their tail bounds at the level L",
    latex=r"h = \tfrac{\sqrt L}{\sqrt m\,(k-1)}: \quad |f_i - 1| \le \sqrt 2\,\kappa_\phi h, \quad"
    r" |D - \sqrt{\zeta}| \le \sqrt 3\,\kappa_\phi^2\tfrac{z_{k-1}}{\zeta}h\sqrt{\zeta}, \quad"
    r" |f_1^2 - f_2^2| \le \tfrac{4\kappa_\phi^2}{w_{k-1}}h\bigl(\tfrac53 h +"
    r" \sqrt{\tfrac{25}{9}h^2 + 6}\bigr), \quad \zeta = \zeta(z_{k-1})",
)
EVENTS_24_TO_27 = Hypothesis(
    "events_24_to_27",
    "all events of Propositions 24 to 27 hold: (10) to (12), the inner products of backpropagation"
    " matrices are close to their means given the layers below, and inverse cosine distances to"
    " their limits, both being at least a number above 1, and the limits at most e^(1/10) times them",
    latex=r"|X'_{k,k} - \varrho'(\rho_{k-1})| \le \tfrac{\epsilon}{k-1}, \quad"
    r" |X'_{k_1,k_2} - \mathbb{E}X'_{k_1,k_2}| \le \tfrac{\epsilon}{k_2-1}"
    r"\|B_{k_1,k_2-1}(x_1)\|_F\,\|B_{k_1,k_2-1}(x_2)\|_F, \quad |w_k - \tilde w_k| \le E_k,"
    r" \quad w_k, \tilde w_k \ge v_k > 1, \quad \tilde w_k \le e^{1/10} w_k",
)
LIMITING_COSINES = Hypothesis(
    "limiting_cosines",
    "the inverse cosine distances are those of the limit, iterates of ω",
    latex=r"w_k = \omega(w_{k-1})",
)
SMALL_NU = Hypothesis(
    "small_nu",
    "the errors that all layers add to the logarithm of an inverse cosine distance are small",
    formula=Le(nu * H(l - 1), Rational(1, 10), evaluate=False),
)
LARGE_Q = Hypothesis(
    "large_q",
    "Q is at least the factor of every pair of inputs, and that of a right angle for the absolute value",
    formula=And(
        Ge(Q, pi / (pi - 2), evaluate=False), Ge(Q, z_1_input / zeta(z_1_input, DELTA), evaluate=False)
    ),
)
SMALL_STEP = Hypothesis(
    "small_step",
    "the error of one layer leaves the lower bound of the distance positive",
    formula=Lt(Q * epsilon_prime, 1, evaluate=False),
)
BOUNDED_BELOW = Hypothesis(
    "bounded_below",
    "a number is a lower bound of an inverse cosine distance and of its limit",
    formula=And(Ge(w_k, v_least, evaluate=False), Ge(w_tilde, v_least, evaluate=False)),
)
SHARE = Hypothesis(
    "share",
    "$Delta_phi is the share of the absolute value in the activation function",
    formula=Eq(DELTA, b**2 / (a**2 + b**2), evaluate=False),
)
SCALE = Hypothesis(
    "scale",
    "$sigma is the scale of the weights at the edge of chaos",
    formula=Eq(SIGMA, 1 / sqrt(a**2 + b**2), evaluate=False),
)
ANGLE = Hypothesis("angle", "$rho is the cosine of the angle $t", formula=Eq(rho, cos(t), evaluate=False))

#: Why claims on the cosine map need not assume what its letters stand for.
BY_DEFINITION = {
    SHARE: "that is what the letter stands for, and every number from 0 to 1 is such a share",
    SCALE: "that is what the letter stands for",
    ANGLE: "every cosine is that of one angle from 0 to π",
}
W_1_BY_DEFINITION = Hypothesis(
    "w_1_by_definition",
    "$w_1 is the part of the first preactivation that the second does not tell, scaled",
    formula=Eq(w_1, (u1 / tau1 - rho * u2 / tau2) / (SIGMA * sqrt(1 - rho**2)), evaluate=False),
)
W_2_BY_DEFINITION = Hypothesis(
    "w_2_by_definition",
    "$w_2 is the part of the second preactivation that the first does not tell, scaled",
    formula=Eq(w_2, (u2 / tau2 - rho * u1 / tau1) / (SIGMA * sqrt(1 - rho**2)), evaluate=False),
)
