"""What the samplers of MLPs refuse, and how the refusal reads."""

import re

import numpy as np
import pytest
from trying import each

from numeric.networks import (
    MLP,
    Parameters,
    backpropagation_matrix,
    backpropagation_pair,
    expected_ntk,
    forward_pass,
    ntk,
    resample_layer,
    sample_ntk,
)

NET = MLP((2, 4, 4, 1), 0, 1)
RNG = np.random.default_rng
STATE = forward_pass(NET, NET.sample(RNG(0)), [[1.0, 2.0], [0.0, 1.0]])
BATCH = forward_pass(NET, NET.sample(RNG(0), size=2), [[1.0, 2.0], [0.0, 1.0]])
X = [[1.0, 2.0]]
RAGGED = [np.ones((1, 1)), np.ones((3, 1, 1))]

REFUSALS = [
    (lambda: MLP((2, 1), 0, 1), "widths must have at least 3 entries"),
    (lambda: MLP((2, 0, 1), 0, 1), "widths must be a positive integer"),
    (lambda: MLP((2, 3, 1), 0, 0), "(a, b) must have a norm in [1e-150"),
    (lambda: MLP((2, 3, 1), 0, 1e-200), "(a, b) must have a norm"),
    (lambda: MLP((2, 3, 1), 1e200, 1), "(a, b) must have a norm"),
    (lambda: MLP((2, 3, 1), np.nan, 1), "a must lie in"),
    (lambda: MLP((2, 3, 1), 0, 1, q=np.nan), "q must lie in"),
    (lambda: MLP((2, 3, 1), 0, 1, q=[0, np.inf]), "q must lie in"),
    (lambda: MLP((2, 3, 1), 0, 1, q=[0]), "q must be one number or 2"),
    (lambda: MLP((2, 3, 1), 0, 1, q=-274), "|q| log(m) <= 300"),
    (lambda: MLP((2, 3, 1), 0, 1, m=0), "m must be a positive integer"),
    (lambda: MLP((2, 4, 6, 1), 0, 1, m=4), "m must divide the hidden"),
    (lambda: NET.sample_layer(0, RNG(0)), "k must be an integer in [1, 3]"),
    (lambda: NET.scale(4), "k must be an integer in [1, 3], got 4"),
    (lambda: NET.sample(RNG(0), size=0), "size must be a positive integer"),
    (lambda: Parameters([]), "matrices must share their leading axes"),
    (lambda: Parameters(RAGGED), "matrices must share their leading axes"),
    (lambda: Parameters([[1.0]]), "A_1 must have shape"),
    (lambda: Parameters([X, [[np.nan]]]), "A_2 must lie in"),
    (
        lambda: forward_pass(MLP((2, 4, 1), 0, 1), NET.sample(RNG(0)), X),
        "parameters must have layer shapes [(4, 2), (1, 4)]",
    ),
    (lambda: forward_pass(NET, STATE.parameters, [1.0, 2.0]), "x must have shape (n, 2)"),
    (lambda: forward_pass(NET, STATE.parameters, [[1, 2, 3]]), "x must have shape (n, 2)"),
    (lambda: forward_pass(NET, STATE.parameters, np.empty((0, 2))), "x must have at least one row"),
    (
        lambda: forward_pass(NET, Parameters([1e300 * A for A in STATE.parameters.matrices]), X),
        "the network's output must stay within float64",
    ),
    (lambda: ntk(forward_pass(NET, STATE.parameters, [[1e200, 0]])), "the kernel must stay"),
    (
        lambda: expected_ntk(forward_pass(NET, STATE.parameters, [[1e200, 0]])),
        "the expected kernel must stay",
    ),
    (lambda: STATE.activation(0), "k must be an integer in [1, 3]"),
    (lambda: STATE.preactivation(3), "k must be an integer in [1, 2]"),
    (lambda: STATE.derivative(1), "k must be an integer in [2, 3]"),
    (lambda: backpropagation_matrix(STATE, 3, 2), "k1 must be an integer in [2, 2]"),
    (lambda: backpropagation_pair(STATE, 3, 3), "k1 must be an integer in [2, 2]"),
    (lambda: backpropagation_pair(STATE, 2, 3, 0, 2), "second must be an integer in [0, 1]"),
    (lambda: backpropagation_pair(BATCH, 2, 3), "parameters must be one draw"),
    (lambda: resample_layer(BATCH, 1, RNG(0), 2), "parameters must be one draw"),
]
#: What is of another type than it must be.
STRANGE = [
    (lambda: MLP((2, 3.0, 1), 0, 1), "widths must be a positive integer"),
    (lambda: MLP((2, True, 1), 0, 1), "widths must be a positive integer"),
    (lambda: MLP(3, 0, 1), "widths must be a sequence"),
    (lambda: MLP("222", 0, 1), "widths must be a sequence"),
    (lambda: MLP((2, 3, 1), 1, 1j), "b must be a real number"),
    (lambda: MLP((2, 3, 1), 0, 1, q="11"), "q must be a real number"),
    (lambda: NET.sample(0), "rng must be a numpy.random.Generator, got 0"),
]


@each("error, calls", (ValueError, REFUSALS), (TypeError, STRANGE))
def test_refused(error, calls):
    for call, message in calls:
        with pytest.raises(error, match=re.escape(message)):
            call()


def test_every_method_on_offer_is_named_and_draws():
    with pytest.raises(ValueError, match="got 'magic'") as caught:
        sample_ntk(X, (4,), 0, 1, RNG(0), method="magic")
    offered = re.findall(r"'(\w+)'", str(caught.value))[:-1]
    assert "direct" in offered
    for method in offered:
        assert sample_ntk(X, (4,), 0, 1, RNG(0), method=method, size=2).shape == (2, 1, 1, 1, 1)


def test_parameters_are_copied_and_read_only():
    first = np.ones((4, 2))
    theta = Parameters([first, np.ones((4, 4)), np.ones((1, 4))])
    first[0, 0] = 7.0
    assert theta.layer(1)[0, 0] == 1.0
    with pytest.raises(ValueError, match="read-only"):
        theta.layer(1)[0, 0] = 7.0


def test_scalings_near_the_end_of_their_range_leave_the_activations_alone():
    """|q| log(3) = 301.0 is refused above; at 299.9 the activations keep their scale."""
    for q in (273, -273):
        net = MLP((1, 3, 1), 1e150, 0, q=[q, 0], m=3)
        state = forward_pass(net, net.sample(RNG(0)), [[1.0]])
        assert 0 < abs(float(state.activation(2)[0, 0])) < 10
