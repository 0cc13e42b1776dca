"""Letters of Propositions 12 and 14: one random layer, its proxies of distances, its norms."""

from theorems.engine.statements.letters import Kind, printed
from theorems.eoc_mlp.letters.table import (
    LETTERS,
    NONNEGATIVE,
    POSITIVE,
    REAL,
    nonnegative,
    probability,
    random,
    real,
)

# Preactivations of one unit, and the half difference of its activations.
z1 = LETTERS.number("z1", "z_1", "preactivation of the first of two inputs", REAL)
z2 = LETTERS.number("z2", "z_2", "preactivation of the second of two inputs", REAL)
Z1 = random("Z1", "z_1", "preactivation of one unit at the first of two directions", Kind.LAW)
Z2 = random("Z2", "z_2", "preactivation of one unit at the second of two directions", Kind.LAW)
half_difference = random(
    "half_difference", "Y", "half the difference of the activations of one unit at two directions", Kind.LAW
)
preactivation = LETTERS.function(
    "preactivation", "z", "preactivation of a unit at the direction of an input, by input and unit"
)
printed(preactivation, "z_{{{0}, {1}}}")
g = real("g", "g", "standard normal variable")
Y = real("Y", "Y", "half the difference of the activations of one unit")
bernstein_variance = nonnegative("bernstein_variance", "v", "variance in Bernstein's condition on moments")
bernstein_scale = nonnegative("bernstein_scale", "c", "scale in Bernstein's condition on moments")

# The proxy of the distance: half the difference of the activations over the lengths below.
D = nonnegative(
    "D", "D", "length of half the difference of two activations, each over the length one layer below"
)
squared_proxy = random(
    "squared_proxy", "D^2", "square of the proxy D, the mean of the squares of Y over the units", Kind.LAW
)
delta = LETTERS.number("delta", r"\delta", "relative deviation", NONNEGATIVE)
squared_deviation = LETTERS.number("squared_deviation", "s", "deviation of a squared distance", NONNEGATIVE)
c1 = LETTERS.number("c1", "c_1", "distance", NONNEGATIVE)
c2 = LETTERS.number("c2", "c_2", "distance from which another one deviates", NONNEGATIVE)
upper_tail = probability(
    "upper_tail",
    r"\mathbb{P}\bigl(D \ge (1+t)\sqrt{\zeta(z)}\bigr)",
    "probability that the proxy exceeds its limit by the share t",
)
lower_tail = probability(
    "lower_tail",
    r"\mathbb{P}\bigl(D \le (1-t)\sqrt{\zeta(z)}\bigr)",
    "probability that the proxy falls short of its limit by the share t",
)
tail_distance = probability(
    "tail_distance",
    r"\mathbb{P}\bigl(|D - \sqrt{\zeta(z)}| \ge t\sqrt{\zeta(z)}\bigr)",
    "probability that the proxy is off its limit by at least the share t",
)
tail_distance_scaled = probability(
    "tail_distance_scaled",
    r"\mathbb{P}_{1:l-1}\Bigl(\zeta(z)^{-1/2}\tfrac{\zeta(z)}{z}\gamma_{k-1}^{1/2}"
    r"\bigl|D - \zeta(z)^{1/2}\bigr| \ge t\Bigr)",
    "probability that the proxy is off its limit by at least t, weighted as in Proposition 12",
)
tail_squared = probability(
    "tail_squared",
    r"\mathbb{P}_{k-1}\bigl(|D^2 - \zeta(z)| \ge s\bigr)",
    "probability that the squared proxy is off its mean by at least s",
)
weight = LETTERS.quantity(
    "weight",
    r"\zeta(z)^{-1/2}\frac{\zeta(z)}{z}",
    "weight of the error of a proxy relative to its limit",
    POSITIVE,
)

below_square = random("below_square", "W", "random variable between 0 and a Gaussian square", Kind.LAW)
# The worst lower tail: a Gaussian square of which small values are cut off.
truncation = LETTERS.number("truncation", "c", "modulus below which a square is 0", NONNEGATIVE)
ell = LETTERS.number("ell", r"\ell", "rate of an exponential moment", NONNEGATIVE)

# Norms: the law of a layer is a mixture of two chi-squares.
ratio = nonnegative(
    "ratio", r"\tfrac{\|x_k\|}{\|x_{k-1}\|}", "length of an activation over the length one layer below"
)
ratio_1 = nonnegative("ratio_1", "f_1", "this ratio of lengths, first input")
ratio_2 = nonnegative("ratio_2", "f_2", "this ratio of lengths, second input")
exponential_moment = nonnegative(
    "exponential_moment",
    r"\mathbb{E}e^{\lambda\sigma^2\phi(u)^2}",
    "exponential moment of the square of a normalised activation",
)
upper_tail_norm = probability(
    "upper_tail_norm",
    r"\mathbb{P}\Bigl(\tfrac{\|x_k\|}{\|x_{k-1}\|} \ge 1 + t\Bigr)",
    "probability that a layer lengthens an activation by the share t",
)
lower_tail_norm = probability(
    "lower_tail_norm",
    r"\mathbb{P}\Bigl(\tfrac{\|x_k\|}{\|x_{k-1}\|} \le 1 - t\Bigr)",
    "probability that a layer shortens an activation by the share t",
)
tail_norm = probability(
    "tail_norm",
    r"\mathbb{P}_{1:l-1}\Bigl(\gamma_{k-1}^{1/2}"
    r"\Bigl|\frac{\|x_k\|}{\|x_{k-1}\|} - 1\Bigr| \ge t\Bigr)",
    "probability that a layer changes the length of an activation by at least t over the root of"
    " its width in units of m",
)
unit_square = random(
    "unit_square",
    r"\sigma^2\phi(u)^2",
    "square of the activation of one unit at a direction, u standard normal",
    Kind.LAW,
)
squared_ratio = random(
    "squared_ratio",
    r"\frac{\|x_k\|^2}{\|x_{k-1}\|^2}",
    "squared ratio of the lengths of two successive activations, mean of the squares of the units",
    Kind.LAW,
)
norm_variance = nonnegative(
    "norm_variance",
    r"\operatorname{Var}\frac{\|x_k\|^2}{\|x_1\|^2}",
    "variance of the squared length of an activation over that of the input",
)
