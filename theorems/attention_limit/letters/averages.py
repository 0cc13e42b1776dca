"""Letters of Appendices D.1.2 and D.1.3: averages at fixed places, and how they vary with these."""

from theorems.attention_limit.letters.table import LETTERS, POSITIVE, SIZE, random, size, some_function, thing

# Sections of a function ψ of vectors u and places a

section_change = size(
    "section_change",
    r"|\tilde\psi_a(u)-\tilde\psi_a(u')|",
    "distance of two values of the function at one place",
)
distance_u = size("distance_u", r"\|u-u'\|", "Euclidean distance of two arguments at one place")
norm_u = size("norm_u", r"\|u\|", "Euclidean norm of an argument")
norm_u_other = size("norm_u_other", r"\|u'\|", "Euclidean norm of another argument")
norm_a = size("norm_a", r"\|a\|", "Euclidean norm of a place")

# Averages over the coordinates, and means over the limits, at places a and b

width_averages = LETTERS.number("width_averages", "n", "number of coordinates that are averaged over", SIZE)
distance_ab = size("distance_ab", r"\|a-b\|", "Euclidean distance of two places")
radius = size("radius", r"\rho", "radius of a ball around 0 in which both places lie")
average_change = size(
    "average_change", r"|Y_n(a)-Y_n(b)|", "distance of the averages over the coordinates at two places"
)
mean_growth = size(
    "mean_growth",
    r"\tfrac1n\textstyle\sum_\alpha\|g_\alpha\|^\gamma",
    "average over the coordinates of a power of their norms",
)
limit_at_a = random("limit_at_a", r"\psi(Z, a)", "value of the function at the limits and a place")
limit_at_b = random("limit_at_b", r"\psi(Z, b)", "the same at another place")
norm_a_growth = random("norm_a_growth", r"\|(Z,a)\|^\gamma", "power of the norm of limits and place together")
norm_b_growth = random("norm_b_growth", r"\|(Z,b)\|^\gamma", "the same for the other place")

# The first part of the distance from the limit, at finite width

f_average = random("f_average", "f(y)", "test function of the average, y = Y_n(p)")
f_limit = random("f_limit", "f(z)", "the same of the mean over the limits, z = z(p)")
net_gap = random(
    "net_gap", r"\max_{b \in B}|Y_n(b)-z(b)|", "largest distance of average and mean on a finite net"
)
average_slope = random(
    "average_slope", "M_n", "Lipschitz constant of the averages on K, which the weights determine"
)
limit_slope = size("limit_slope", "M", "Lipschitz constant of the means over the limits on K")
mesh = size("mesh", r"\delta", "mesh of the net")
outside = random("outside", r"\mathbf{1}\{p \notin K\}", "1 if the dot products leave K, else 0")
test_slope = size("test_slope", "L", "Lipschitz constant of a test function on the range of ψ")
test_bound = size("test_bound", "F", "bound of a test function")
psi_bound = size("psi_bound", "B", "bound of the function that is averaged")

# Spheres that a law charges

spheres = LETTERS.quantity("spheres", "N", "number of spheres that a law charges", SIZE)
charge = LETTERS.quantity(
    "charge", r"\epsilon", "least probability that the law gives such a sphere", POSITIVE
)

# Equation (6)

f_bounded = some_function("f_bounded", "f", "bounded Lipschitz function, which tests convergence")
average_at = random("average_at", "y", "average over the coordinates, at the dot products")
mean_at = random("mean_at", "z", "mean over the limits of the vectors, at the dot products")
K_dots = thing("K_dots", "K", "compact set of places, that is, of values of the dot products")
