r"""Letters for Section 6 and Appendix B: the teacher, the two tasks, and the IndRNN."""

from __future__ import annotations

from sympy import Symbol

from theorems.engine.letters import Kind
from theorems.engine.rules import Random
from theorems.shallow_transformer.letters import (
    LETTERS,
    NONNEGATIVE,
    OBJECT,
    REAL,
)

LAW = Kind.LAW


def _real(name: str, latex: str, meaning: str) -> Symbol:
    return LETTERS.quantity(name, latex, meaning, REAL)


def _size(name: str, latex: str, meaning: str) -> Symbol:
    return LETTERS.quantity(name, latex, meaning, NONNEGATIVE)


def _random(name: str, latex: str, meaning: str) -> Symbol:
    return LETTERS.thing(Random(name), latex, meaning, LAW)


# The teacher
argument = LETTERS.number("argument", "s", "argument of the activation", REAL)
v_c_size = _size("v_c_size", "|v_c|", "size of the c-part of the teacher's map at a head")
v_u_size = _size("v_u_size", r"\|v_u\|", "length of the U-part of the teacher's map at a head")
v_w_size = _size("v_w_size", r"\|v_w\|_F", "size of the W-part of the teacher's map at a head")
token_length = _random("token_length", r"\|g\|_2", "length of a token before it is clipped")
label_error = _random("label_error", r"(\tilde y-\tilde f)(X)", "label less the teacher's function")
labels = LETTERS.thing(
    "labels", r"\tilde y", "function that makes the labels, of the input", OBJECT
)
pool_norm = _size(
    "pool_norm", r"\|\tilde y\|_{\tilde m}", "norm of the labels in the space of the pool's kernel"
)
fit_error = _random(
    "fit_error", r"(f_{\mathrm{lin}}(\cdot;\tilde\varphi)-\tilde y)(X)", "approximation error"
)

# Figure 1
limit_loss = _size(
    "limit_loss",
    r"\tfrac{1}{n}\|(I-\tfrac{2\eta}{n}K)^sy\|^2",
    "loss of descent with the kernel, after s steps",
)
label_square = _size("label_square", r"\tfrac{1}{n}\|y\|^2", "mean squared label")
kernel_step = _size("kernel_step", r"2\eta\lambda_{\max}(K)/n", "largest share of a residual")
