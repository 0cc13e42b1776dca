r"""Letters for Section 6 and Appendix B: the teacher, the two tasks, and the IndRNN."""

from sympy import Abs

from theorems.shallow_transformer.letters.paper import LETTERS, OBJECT, REAL, random, real, size

# The teacher
argument = LETTERS.number("argument", "s", "argument of the activation", REAL)
v_c_size = size("v_c_size", "|v_c|", "size of the c-part of the teacher's map at a head")
v_u_size = size("v_u_size", r"\|v_u\|", "length of the U-part of the teacher's map at a head")
v_w_size = size("v_w_size", r"\|v_w\|_F", "size of the W-part of the teacher's map at a head")
token_length = random("token_length", r"\|g\|_2", "length of a token before it is clipped")
label_error = random("label_error", r"(\tilde y-\tilde f)(X)", "label less the teacher's function")
labels = LETTERS.thing("labels", r"\tilde y", "function that makes the labels, of the input", OBJECT)
pool_norm = size(
    "pool_norm", r"\|\tilde y\|_{\tilde m}", "norm of the labels in the space of the pool's kernel"
)
fit_error = random("fit_error", r"(f_{\mathrm{lin}}(\cdot;\tilde\varphi)-\tilde y)(X)", "approximation error")

# Figure 1
limit_loss = size(
    "limit_loss",
    r"\tfrac{1}{n}\|(I-\tfrac{2\eta}{n}K)^sy\|^2",
    "loss of descent with the kernel, after s steps",
)
label_square = size("label_square", r"\tfrac{1}{n}\|y\|^2", "mean squared label")
kernel_step = size("kernel_step", r"2\eta\lambda_{\max}(K)/n", "largest share of a residual")

# The IndRNN
rnn_output = real("rnn_output", r"f_{\mathrm{rnn}}(X;\varphi^{(0)})", "output of the IndRNN")
rnn_loss = size(
    "rnn_loss",
    r"\min_{s<\tau}\widehat{\mathcal{L}}_n(\varphi_{\mathrm{rnn}}^{(s)})",
    "least loss of the IndRNN",
)
input_jacobian = size(
    "input_jacobian",
    r"\sup_X|\partial h_T/\partial w|",
    "largest derivative of the last state over inputs, in dimension one with U = 1",
)
rnn_constant = LETTERS.function(
    "rnn_constant", r"C_{\bar\sigma,\bar\nu,\rho,\mu_T}",
    "constant that Proposition 2 hides", shown=0,
)  # fmt: skip

# The autoregressive task
next_value = random("next_value", "X_{T+1}", "value to be predicted")
prediction_error = random(
    "prediction_error", "(X_{T+1}-g(X))", "value less what is predicted from the window, of finite variance"
)
lag_error = random("lag_error", r"(X_{T+1}-\alpha X_{T+1-L})", "value less α times that a lag before it")

# Figure 2
rnn_slope = real("rnn_slope", r"\nabla_wf_{\mathrm{rnn}}(X)", "derivative of the IndRNN by w")
rnn_slope_opposite = real(
    "rnn_slope_opposite", r"\nabla_wf_{\mathrm{rnn}}(-X)", "the same at the opposite input"
)
W_slope = real("W_slope", r"\nabla_Wf(X)", "entry of the network's gradient by W")
W_slope_opposite = real("W_slope_opposite", r"\nabla_Wf(-X)", "the same at the opposite input")
slope_law = random("slope_law", r"\nabla f(X)", "entry of a gradient at a random input")
slope_law_opposite = random(
    "slope_law_opposite", r"\nabla f(-X)", "entry of the gradient at the opposite input"
)
rnn_norm = size(
    "rnn_norm",
    r"\mathbb{E}\max_{s<\tau}\|\mathcal{G}_{\mathrm{rnn}}(\varphi^{(s)})\|_2",
    "mean over runs of the IndRNN's largest mean Jacobian by w",
)
tf_norm = size(
    "tf_norm",
    r"\mathbb{E}\max_{s<\tau}\|\mathcal{G}_{\mathrm{tf}}(\varphi^{(s)})\|_F",
    "mean over runs of the network's largest mean Jacobian by W",
)
geometric = LETTERS.function(
    "geometric",
    r"\sum_{k=0}^{T-2}(\sigma_1|w_i|)^k",
    "geometric sum, whose ratio is not 1",
    shown=0,
    closed_form=lambda s, w, T: (1 - (s * Abs(w)) ** (T - 1)) / (1 - s * Abs(w)),
    justified_by="st.prop2.jacobian",
)
