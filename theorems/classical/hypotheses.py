"""What the textbook facts assume, as values that they share."""

from theorems.engine.statements.hypotheses import Hypothesis

# Means of independent copies
INDEPENDENT_COPIES = Hypothesis(
    "independent_copies",
    "$mean is the mean of $M independent variables, each with the law of $W",
    latex=r"$mean = \tfrac{1}{$M}(W_1 + \dots + W_{$M}), \quad"
    r" W_1, \dots, W_{$M} \text{ independent with the law of } $W",
)
BERNSTEIN_MOMENTS = Hypothesis(
    "bernstein_moments",
    "all moments of $W from the second on are those of Bernstein's condition",
    latex=r"\mathbb{E}|$W|^q \le \tfrac12 q!\,$v {$c}^{q-2} \text{ for all integers } q \ge 2",
)
GAUSSIAN_SQUARE_MOMENTS = Hypothesis(
    "gaussian_square_moments",
    "all moments of $W from the second on are at most those of $A times a Gaussian square",
    latex=r"\mathbb{E}|$W|^q \le {$A}^q(2q-1)!! \text{ for all integers } q \ge 2",
)
BOUNDED_RANGE = Hypothesis(
    "bounded_range",
    "$W almost surely lies in an interval of length $length that begins at $alpha",
    latex=r"$W \in [$alpha, $alpha + $length] \text{ almost surely}",
)
NONNEGATIVE_TERMS = Hypothesis(
    "nonnegative_terms",
    "$W is almost surely nonnegative with mean $mu, and its second moment is at most $nu",
    latex=r"$W \ge 0,\ \mathbb{E}$W = $mu,\ \mathbb{E}{$W}^2 \le $nu",
)

# Gaussian variables
NORMAL = Hypothesis(
    "normal", "$g is a standard normal vector of finite dimension", latex=r"$g \sim \mathcal{N}(0, I)"
)
EACH_NORMAL = Hypothesis(
    "each_normal",
    "each of the $normals, and $g, is a standard normal variable; they need not be independent",
    latex=r"$g, $normals \sim \mathcal{N}(0, 1)",
)
INDEPENDENT_NORMALS = Hypothesis(
    "independent_normals",
    "the $normals are independent standard normal variables",
    latex=r"$normals \sim \mathcal{N}(0, 1) \text{ independent}",
)
NONNEGATIVE_WEIGHTS = Hypothesis(
    "nonnegative_weights",
    "none of the $n weights in $beta is negative",
    latex=r"{$beta}_1, \dots, {$beta}_{$n} \ge 0",
)
NONZERO_WEIGHTS = Hypothesis(
    "nonzero_weights", "not all of the $n weights in $lambda_vec are zero", latex=r"$lambda_vec \ne 0"
)
LIPSCHITZ = Hypothesis(
    "lipschitz",
    "$F is Lipschitz in the Euclidean norm with the constant $L",
    latex=r"|$F(x) - $F(y)| \le $L|x - y| \text{ for all } x, y",
)
GAUSSIAN_FAMILIES = Hypothesis(
    "gaussian_families",
    "$X is a Gaussian vector, and so is $Y, of the same finite dimension",
    latex=r"$X, $Y \text{ Gaussian vectors in } \mathbb{R}^n",
)
EQUAL_MEANS = Hypothesis(
    "equal_means", "the means of $X are those of $Y", latex=r"\mathbb{E}{$X}_i = \mathbb{E}{$Y}_i"
)
SMALLER_INCREMENTS = Hypothesis(
    "smaller_increments",
    "the mean squared increments of $X are at most those of $Y",
    latex=r"\mathbb{E}({$X}_i - {$X}_j)^2 \le \mathbb{E}({$Y}_i - {$Y}_j)^2",
)

# Supermartingales and nets
STOPPED_SUPERMARTINGALE = Hypothesis(
    "stopped_supermartingale",
    "$process is adapted to $filtration, integrable and nonnegative, and its conditional means do"
    " not increase up to the first time that it reaches $a",
    latex=r"M_k \ge 0 \text{ is } \mathcal{F}_k\text{-measurable and integrable},"
    r"\ \mathbb{E}(M_k \mid \mathcal{F}_{k-1}) \le M_{k-1}"
    r" \text{ where } M_0, \dots, M_{k-1} < $a",
)
LARGEST_SEPARATED = Hypothesis(
    "largest_separated",
    "$net is a set of unit vectors of dimension $m any two of which are more than one quarter"
    " apart, and no such set has more points",
)
QUARTER_NET = Hypothesis(
    "quarter_net",
    "$net is a finite set of unit vectors of dimension $m, and each unit vector is within one"
    " quarter of one of them",
    latex=r"$net \subset S^{$m-1} \text{ finite},"
    r"\ \max_{y \in S^{$m-1}}\min_{y' \in $net}\|y - y'\| \le \tfrac14",
)
