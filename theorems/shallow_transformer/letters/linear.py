r"""Letters for the linear model: outputs, and what belongs to a head by its number."""

from theorems.engine.rules import Random
from theorems.engine.statements.letters import Kind
from theorems.shallow_transformer.letters.paper import LETTERS, real, size
from theorems.shallow_transformer.letters.token import entry

quantity = LETTERS.quantity

f_value = real("f_value", r"f(X;\varphi)", "output of the network")
f_initial = real("f_initial", r"f(X;\varphi^{(0)})", "output of the network at the start")
lin_value = real("lin_value", r"f_{\mathrm{lin}}(X;\varphi)", "linear model's output")
lin_slope = real(
    "lin_slope",
    r"\langle\nabla_\varphi f(X;\varphi^{(0)}),\varphi-\varphi^{(0)}\rangle",
    "derivative of the output at the start, along the way to the parameters",
)

head_remainder = size(
    "head_remainder",
    r"|h(\theta_i)-h(\theta_i')-\langle\nabla h(\theta_i'),\theta_i-\theta_i'\rangle|",
    "what is left of a difference of a head's outputs without its linear part",
)
h_hessian_sup = size(
    "h_hessian_sup",
    r"\sup\|\nabla_\theta^2h\|",
    "largest Hessian of a head's output on the segment between two inner parameters",
)
h_bend_sup = size(
    "h_bend_sup",
    r"\sup\,m|D^2h[\theta_i-\theta_i',\theta_i-\theta_i']|",
    "largest second derivative of a head's output on the way between two inner parameters, along the"
    " root of the width times the way",
)

# By the number of a head
c_initial = entry("c_initial", "c^{(0)}", "output weight of a head at the start")
c_shift = entry("c_shift", r"\delta c", "change of the output weight of a head")
h_initial = entry("h_initial", "h^{(0)}", "output of a head at the start")
h_moved = entry("h_moved", "h", "output of a head")
h_slope = entry(
    "h_slope",
    r"\langle\nabla h^{(0)},\delta\theta\rangle",
    "derivative of the output of a head at the start, along its way",
)

# Block by block
start_length = LETTERS.thing(
    Random("start_length"), r"\|U_i^{(0)}\|", "initial length of a read-out vector", Kind.OBJECT
)
blockwise_average = size(
    "blockwise_average",
    r"\tfrac1m\sum_{i=1}^mC(B_i)",
    "mean over the heads of the constant of st.lem3.sharp, each at the initial length of its U"
    " and ρ_u over the root of m",
)
blockwise_mean = size("blockwise_mean", r"\mathbb{E}\,C(B_i)", "mean of the constant of one head")

# The experiment
coherent_error = size(
    "coherent_error",
    r"\mathbb{E}\sup_{\varphi\in\partial\Omega_\rho}|f-f_{\mathrm{lin}}|",
    "mean over the start of the largest linearisation error on the boundary of the feasible set",
)
square_error = size(
    "square_error",
    r"\mathbb{E}\sup_{j\in[n]}|f-f_{\mathrm{lin}}|^2",
    "mean of the square of the largest linearisation error over the inputs",
)
first_moment = size(
    "first_moment",
    r"\mathbb{E}(\sigma_1\rho_c\ell)^2",
    "mean square of the first term of st.lem3.sharp at B = |U| at the start and ρ_u/√m",
)
second_moment = size(
    "second_moment", r"\mathbb{E}(\sigma_2\ell^2+\sigma_1K)^2", "mean square of twice the other terms there"
)
read_out = LETTERS.thing(
    Random("read_out"), "U_i^{(0)}", "initial read-out weight of a head, in dimension 1", Kind.OBJECT
)
