"""The exact transformer: closed forms against SymPy's derivatives, and against floats."""

import numpy as np
import pytest
import sympy as sp
from sympy import Rational, symbols
from trying import each

from symbolic.networks.transformer import ExactTransformer, formal_activation, symmetric_heads
from symbolic.networks.transformer_gradients import differentiated_gradient, gradient

TOKENS = [["1/2", "1/3"], [0, "-1/2"], ["3/5", "4/5"]]
QUERY = [["1/2"], ["-2/3"]]
HEADS = [(2, [[1], [-1]], [[1, 2], [0, 1]]), ("-1/2", [[3], ["1/4"]], [["1/2", 0], [-1, 2]])]
NET = ExactTransformer(HEADS, sp.tanh)


def output(parameters, tokens, query):
    """f in floats, from (2)-(4), for tanh; complex parameters are allowed."""
    total = 0
    for c, U, W in parameters:
        odds = np.exp(tokens @ W @ query)
        total = total + c * np.tanh(U @ (odds / odds.sum() @ tokens))
    return total / np.sqrt(len(parameters))


def in_floats():
    heads = [
        (float(head.c), np.array(head.U, dtype=float)[:, 0], np.array(head.W, dtype=float))
        for head in NET.heads
    ]
    tokens = np.array(sp.Matrix(TOKENS).applyfunc(sp.Rational), dtype=float)
    return heads, tokens, np.array(sp.Matrix(QUERY).applyfunc(sp.Rational), dtype=float)[:, 0]


def test_output_against_floats():
    # A dozen operations on numbers below 4.
    assert abs(float(NET.output(TOKENS, QUERY)) - output(*in_floats())) < 1e-14


@each("i", 1, 2)
def test_gradient_against_complex_steps(i):
    heads, tokens, query = in_floats()
    exact = np.array(gradient(NET, TOKENS, QUERY, i).evalf(), dtype=float)[:, 0]
    c, U, W = heads[i - 1]
    flat = np.concatenate([[c], U, W.T.ravel()])
    for k, expected in enumerate(exact):
        moved = flat.astype(complex)
        moved[k] += 1e-30j
        heads[i - 1] = (moved[0], moved[1:3], moved[3:].reshape(2, 2).T)
        # As above; the complex step has no difference that cancels.
        assert abs(output(heads, tokens, query).imag / 1e-30 - expected) < 1e-13


def test_the_closed_form_is_the_gradient():
    """Logits 0 and log 2, a formal activation, and letters for U: everything is rational."""
    U, tokens, query = sp.Matrix(symbols("u v", real=True)), [[1, 2], [0, -1]], [[1], [-2]]
    net = ExactTransformer([("2/3", U, [[sp.log(2), 0], [0, 0]]), (1, U, sp.zeros(2))])
    found, formula = differentiated_gradient(net, tokens, query), gradient(net, tokens, query)
    assert (found - formula).applyfunc(sp.expand) == sp.zeros(7, 1)


def test_logits_that_are_logarithms():
    net = ExactTransformer([(1, [[1]], [[sp.log(3)]])])
    assert net.logits([[1], [0]], [[1]]).tolist() == [[sp.log(3)], [0]]
    assert net.weights([[1], [0]], [[1]]).tolist() == [[Rational(3, 4)], [Rational(1, 4)]]
    assert net.mean([[1], [0]], [[1]]).tolist() == [[Rational(3, 4)]]
    assert net.covariance([[1], [0]], [[1]]).tolist() == [[Rational(3, 16)]]
    expected = [formal_activation()(Rational(3, 4)), Rational(3, 4), Rational(3, 16)]
    slope = formal_activation(1)(Rational(3, 4))
    found = list(gradient(net, [[1], [0]], [[1]]))
    assert found == [expected[0], slope * expected[1], slope * expected[2]]


def test_formal_activation_is_differentiated():
    x = symbols("x", real=True)
    assert formal_activation()(x).diff(x) == formal_activation(1)(x)
    assert formal_activation(1)(2 * x).diff(x) == 2 * formal_activation(2)(2 * x)
    assert formal_activation(2) is formal_activation(2)
    assert formal_activation()(x).is_real


def test_order_of_the_parameters():
    head = NET.head(1)
    assert head.parameters == (2, 1, -1, 1, 0, 2, 1)
    assert type(head).of(head.parameters, 2) == head
    assert NET.m == 2
    assert NET.d == 2
    assert NET.with_head(2, head).head(2) == head


def test_symmetric_heads_cancel():
    net = ExactTransformer(symmetric_heads([(2, [[1], [0]], sp.eye(2)), (3, [[1], [1]], sp.eye(2))]))
    assert net.m == 4
    assert net.output(TOKENS, QUERY) == 0


@each(
    "call, error, message",
    (lambda: ExactTransformer([]), TypeError, "heads must be a list"),
    (lambda: ExactTransformer("abc"), TypeError, "heads must be a list"),
    (lambda: ExactTransformer([1]), TypeError, "heads must be a list of"),
    (lambda: ExactTransformer([(1, [[1]], [[1, 2]])]), ValueError, "W must have shape"),
    (lambda: ExactTransformer([(0.5, [[1]], [[1]])]), TypeError, "c must be exact"),
    (lambda: ExactTransformer([(1, [[1, 2]], [[1]])]), ValueError, "U must have shape"),
    (lambda: NET.head(3), ValueError, r"i must lie in \[1 : 2\], got 3"),
    (lambda: NET.head(0), ValueError, "i must be an integer at least 1"),
    (lambda: NET.mean([[1]], QUERY), ValueError, "tokens must have shape"),
    (lambda: NET.mean(TOKENS, [[1]]), ValueError, "query must have shape"),
    (lambda: formal_activation(-1), ValueError, "order must be an integer at least 0"),
)
def test_bad_arguments(call, error, message):
    with pytest.raises(error, match=message):
        call()
