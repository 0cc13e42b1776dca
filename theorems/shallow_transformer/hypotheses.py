"""What claims of the paper on shallow transformers assume, as values that they share.

Tuples are hypotheses that mostly come together.  The proof of Theorem 1 is about any parameters
and labels for which `ON_THE_EVENT` holds, and `BOUNDED_LABELS` where labels are bounded: that is
so on the events of Definition 1 and Lemma 5, for a target in the class.
"""

from sympy import log, sqrt

from theorems.engine import both, eq, ge, gt, le, lt
from theorems.engine.statements.hypotheses import Hypothesis
from theorems.shallow_transformer.letters import paper as of

# Section 3: inputs, activation
TOKENS = Hypothesis(
    "tokens", "every token of $X has a Euclidean length of at most one", latex=r"$X \in \mathcal{X}"
)
QUERY = Hypothesis(
    "query", "the query of $X has a Euclidean length of at most one", latex=r"\|q_{$X}\|_2 \le 1"
)
INPUTS = (TOKENS, QUERY)
SAME_QUERY = Hypothesis("same_query", "both inputs have the same query", latex=r"q_{$X} = q_{$X_prime}")
CONTINUOUS_QUERY = Hypothesis(
    "continuous_query",
    "the query depends continuously on the input, as a fixed one and the last token do",
    latex=r"$X \mapsto q_{$X} \text{ continuous}",
)
LAST_TOKEN = Hypothesis("last_token", "the query is the last token", latex=r"q_{$X} = {$X}_{$T}")
ODD_QUERY = Hypothesis(
    "odd_query",
    "the query changes its sign with the input, as the last token does",
    latex=r"q_{-$X} = -q_{$X}",
)
TWICE_DIFFERENTIABLE = Hypothesis(
    "twice_differentiable", "the activation is twice differentiable", latex=r"$sigma'' \text{ exists}"
)
BOUNDED_VALUES = Hypothesis(
    "bounded_values",
    "the absolute value of the activation is at most $sigma_0",
    latex=r"\sup|$sigma| \le $sigma_0",
)
BOUNDED_SLOPES = Hypothesis(
    "bounded_slopes",
    "the absolute value of the activation's slope is at most $sigma_1",
    latex=r"\sup|$sigma'| \le $sigma_1",
)
BOUNDED_CURVATURES = Hypothesis(
    "bounded_curvatures",
    "the absolute value of the activation's second derivative is at most $sigma_2",
    latex=r"\sup|$sigma''| \le $sigma_2",
)
ACTIVATION = (TWICE_DIFFERENTIABLE, BOUNDED_VALUES, BOUNDED_SLOPES, BOUNDED_CURVATURES)
#: What makes the features square integrable.
REGULAR = (*INPUTS, TWICE_DIFFERENTIABLE, BOUNDED_VALUES, BOUNDED_SLOPES)
STEEPEST_AT_ZERO = Hypothesis(
    "steepest_at_zero",
    "the activation is steepest at zero, as tanh is, and $sigma_1 is its slope there",
    latex=r"|$sigma'(0)| = $sigma_1",
)
ODD_ACTIVATION = Hypothesis(
    "odd_activation", "the activation is an odd function", latex=r"$sigma(-s) = -$sigma(s)"
)
HYPERBOLIC_TANGENT = Hypothesis("hyperbolic_tangent", "the activation is tanh", latex=r"$sigma = \tanh")
SINE = Hypothesis("sine", "the activation is the sine", latex=r"$sigma = \sin")
NORMAL_KEYS = Hypothesis(
    "normal_keys",
    "the entries of $W_K and $W_Q are independent standard normal variables",
    latex=r"($W_K)_{rs}, ($W_Q)_{rs} \sim \mathcal{N}(0, 1) \text{ independent}",
)

# Section 5.2: the initialisation
EVEN_WIDTH = Hypothesis("even_width", "the number $m of heads is even", latex=r"$m \in 2\mathbb{N}")
PAIRED_HEADS = Hypothesis(
    "paired_heads",
    "at $phi_0 the second half of the heads repeats U and W of the first half, and has the"
    " opposite output weights",
    latex=r"(c, U, W)_{i+m/2}^{(0)} = (-c, U, W)_i^{(0)} \text{ at } $phi_0",
)
UNIT_SIGNS = Hypothesis(
    "unit_signs", "at $phi_0 all output weights are 1 or -1", latex=r"|c_i^{(0)}| = 1 \text{ at } $phi_0"
)
SYMMETRIC_START = (EVEN_WIDTH, PAIRED_HEADS, UNIT_SIGNS)
NETWORK = (*SYMMETRIC_START, *ACTIVATION, *INPUTS)
RANDOM_HEADS = Hypothesis(
    "random_heads",
    "at $phi_0 the heads of the first half are independent, the entries of their U and W are"
    " independent standard normal variables, and their output weights independent fair signs",
    latex=r"(c, U, W)_i^{(0)} \sim \mathrm{Rad}(1) \otimes \mathcal{N}(0, I)"
    r" \text{ independent for } i \le m/2, \text{ at } $phi_0",
)
RANDOM_START = (*SYMMETRIC_START, RANDOM_HEADS)
NORMAL_VECTOR = Hypothesis(
    "normal_vector", "$G is a standard normal vector", latex=r"$G \sim \mathcal{N}(0, I_d)"
)
NORM_EVENT = Hypothesis(
    "norm_event",
    "the event of Definition 1: no read-out vector is long at the start",
    le(of.U_max, sqrt(of.d) + sqrt(2 * log(of.m / (2 * of.delta_prime)))),
)
BOUNDED_HEADS = Hypothesis(
    "bounded_heads",
    "$B bounds the lengths of all read-out vectors in the feasible set",
    le(of.U_max + of.rho_u / sqrt(of.m), of.B),
)
#: What makes heads smooth.
SMOOTH_HEADS = (*INPUTS, TWICE_DIFFERENTIABLE, BOUNDED_SLOPES, BOUNDED_CURVATURES, BOUNDED_HEADS)
IN_FEASIBLE_SET = Hypothesis(
    "in_feasible_set",
    "the parameters $phi lie in the feasible set $Omega: no block of a head is outside",
    le(of.farthest_out, 0),
)
SMOOTH_INSIDE = (*SMOOTH_HEADS, IN_FEASIBLE_SET)

# Section 5.4: maps and targets
SQUARE_INTEGRABLE_MAP = Hypothesis(
    "square_integrable_map",
    "the transportation map $v is measurable with a finite second moment",
    latex=r"\mathbb{E}\|$v\|^2 < \infty",
)
PROJECTION = Hypothesis(
    "projection_to_features",
    "$Proj is the orthogonal projection onto the closed span of the features",
    latex=r"$Proj = $Proj^* = $Proj^2, \quad \operatorname{ran} $Proj"
    r" = \operatorname{cl} \operatorname{span} \{\phi(X)\}_X",
)
NORMAL_VARIABLE = Hypothesis(
    "normal_variable",
    "$normal_variable is a standard normal variable",
    latex=r"$normal_variable \sim \mathcal{N}(0, 1)",
)
COPY = Hypothesis(
    "copy",
    "$Y_copy has the law of $Y_R and is independent of it",
    latex=r"$Y_copy \sim $Y_R, \quad $Y_copy, $Y_R \text{ independent}",
)
FINITELY_MANY_INPUTS = Hypothesis(
    "finitely_many_inputs",
    "where a norm is that by values, the functions are known at finitely many inputs only",
    latex=r"|\mathcal{X}| < \infty \text{ for } \langle\tilde f, K^+\tilde f\rangle",
)
BOUNDED_MAP = Hypothesis(
    "bounded_map",
    "the transportation map $v is measurable, and $nu_c, $nu_u and $nu_w bound its parts",
    latex=r"\|${v}_c\|_\infty \le $nu_c,\ \|${v}_u\|_\infty \le $nu_u,"
    r"\ \|${v}_w\|_\infty \le $nu_w",
)
REALISABLE = Hypothesis(
    "realisable", "the transportation map $v represents the target", latex=r"$f_star = $f_tilde(\cdot; $v)"
)
WIDE_RADII = Hypothesis(
    "wide_radii",
    "each radius of the feasible set is at least the bound of that part of the map",
    both(ge(of.rho_c, of.nu_c), ge(of.rho_u, of.nu_u), ge(of.rho_w, of.nu_w)),
)
#: For these the transported parameters lie in the feasible set.
WITHIN_REACH = (BOUNDED_MAP, WIDE_RADII, UNIT_SIGNS)

# Lemma 5: the event, and the W-part of g
APPROXIMATION_EVENT = Hypothesis(
    "approximation_event",
    "the event of Lemma 5: at the transported parameters the linear model is close to the function"
    " of the map",
    le(of.eps_app, of.B_app),
)
#: What Theorem 1 and Proposition 1 are about, but for the way of descent.
ON_BOTH_EVENTS = (*NETWORK, NORM_EVENT, BOUNDED_MAP, REALISABLE, WIDE_RADII, APPROXIMATION_EVENT)
NORMAL_GIVEN_ATTENTION = Hypothesis(
    "normal_given_attention",
    "$U is a standard normal vector, independent of $W",
    latex=r"$U \sim \mathcal{N}(0, I_d) \text{ independent of } $W",
)
NORMAL_READ_OUT = Hypothesis(
    "normal_read_out",
    "$U is a standard normal vector independent of $M, which is positive semidefinite with a trace"
    " of at most one",
    latex=r"$U \sim \mathcal{N}(0, I_d) \text{ independent of } $M,"
    r"\ $M \succeq 0,\ \operatorname{tr}$M \le 1",
)
DOMINATED = Hypothesis(
    "dominated",
    "the absolute value of $Y is at most $scale times the length of MU",
    latex=r"|$Y| \le $scale\,\|$M $U\|_2",
)

# Theorem 1: the run
PROJECTED_DESCENT = Hypothesis(
    "projected_descent",
    "the iterates are those of projected gradient descent from the initial parameters",
    latex=r"\varphi^{(s+1)} = $Pi\bigl(\varphi^{(s)} - $eta\nabla$L_hat(\varphi^{(s)})\bigr)",
)
STOCHASTIC_DESCENT = Hypothesis(
    "stochastic_descent",
    "the iterates are those of projected stochastic gradient descent; the indices are independent"
    " of each other and of the start, and uniform on the samples",
    latex=r"\varphi^{(s+1)} = $Pi\bigl(\varphi^{(s)} - $eta\nabla$ell(\varphi^{(s)})\bigr),"
    r"\ $J_s \sim \mathrm{Unif}([n]) \text{ independent}",
)
CLOSE_LABELS = Hypothesis(
    "close_labels",
    "at the transported parameters the linear model is within $B_app of the labels",
    le(of.eps_label, of.B_app),
)
BOUNDED_LABELS = Hypothesis(
    "bounded_labels", "$y_max bounds the absolute values of the labels", le(of.label_sup, of.y_max)
)
ON_THE_EVENT = (BOUNDED_HEADS, CLOSE_LABELS)
BOUNDED_GRADIENT = Hypothesis(
    "bounded_gradient",
    "$A bounds the gradients of the network at the samples, in the feasible set",
    le(of.f_gradient, of.A),
)
BOUNDED_ERRORS = Hypothesis(
    "bounded_errors",
    "at every iterate $E bounds the sum of the errors of approximation, linearisation and features",
    le(of.eps_sum, of.E),
)
BOUNDED_SIZES = (BOUNDED_GRADIENT, BOUNDED_ERRORS)
STEP_SIZE = Hypothesis(
    "step_size",
    "the step size of the paper, one over the root of the number of steps",
    eq(of.eta, 1 / sqrt(of.tau)),
)
CONSTANT_STEP = Hypothesis(
    "constant_step", "a step size that does not depend on the number of steps", eq(of.eta, 1 / (4 * of.A**2))
)
SHORT_STEP = Hypothesis(
    "short_step", "the step size is below one over the square of $A", lt(of.eta, of.A**-2)
)
MANY_STEPS = Hypothesis(
    "many_steps",
    "there are enough steps for the paper's step size to be at most that of st.thm1.sharp",
    ge(of.tau, 16 * of.A**4),
)

# Section 6 and Appendix B: experiments
COHERENT_DIRECTIONS = Hypothesis(
    "coherent_directions",
    "U and W of each head have moved along the gradient of the sum of its outputs over the inputs,"
    " and the output weights by $rho_c over the root of $m",
    latex=r"\delta\theta_i \parallel \nabla\textstyle\sum_jh(X^{(j)};\theta_i),\ "
    r"\delta c_i = $rho_c/\sqrt{$m}",
)
DRAWN_TOKENS = Hypothesis(
    "drawn_tokens",
    "each input has at least two tokens, which are independent normal vectors, shortened to length"
    " one where they are longer",
)
MOVING = Hypothesis("moving", "U or W moves", gt(of.rho_u + of.rho_w, 0))
DIRECTED = (COHERENT_DIRECTIONS, MOVING, DRAWN_TOKENS)
INDEPENDENT_DIRECTIONS = Hypothesis(
    "independent_directions",
    "the blocks of the change of all heads are independent of each other and of the start, and"
    " uniform on their spheres",
    latex=r"\delta c_i, \delta U_i, \delta W_i \text{ independent and uniform on the spheres of"
    r" radii } $rho_c/\sqrt{$m}, $rho_u/\sqrt{$m}, $rho_w/\sqrt{$m}",
)
INDEPENDENT_POOL = Hypothesis(
    "independent_pool",
    "the labels are means over $mtilde independent heads with the law of an initial head, drawn"
    " independently of the student",
    latex=r"\tilde y = \tfrac{1}{$mtilde}\sum_k\langle$features, $v\rangle(\varphi_k)",
)
AUTOREGRESSIVE = Hypothesis(
    "autoregressive",
    "the tokens are a window of the stationary Gaussian process with lag $L, coefficient"
    " $persistence and independent noise of variance $noise",
    latex=r"X_t = $persistence X_{t-$L} + \varepsilon_t,\ \varepsilon_t \sim \mathcal{N}(0, $noise)"
    r" \text{ independent of the past, stationary}",
)
PAIRED_UNITS = Hypothesis(
    "paired_units",
    "at the start the second half of the units of the IndRNN repeats U and w of the first half,"
    " and has the opposite output weights",
    latex=r"(c, U, w)_{i+m/2}^{(0)} = (-c, U, w)_i^{(0)}",
)
BOUNDED_RECURRENCE = Hypothesis(
    "bounded_recurrence",
    "the recurrent weight is one of the IndRNN's feasible set, and $growth is $sigma_1 times the"
    " largest such weight",
    latex=r"|$w| \le $gamma + \tfrac{$rho_w}{\sqrt{$m}} = \tfrac{$growth}{$sigma_1}",
)
