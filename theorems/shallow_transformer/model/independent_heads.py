"""Remark 2: heads with a neuron each are a block-diagonal feed-forward layer."""

from fractions import Fraction
from typing import Any

import sympy as sp

from symbolic.networks.transformer import ExactTransformer
from theorems.engine import Obligations, integers, sentence
from theorems.shallow_transformer.letters.paper import claim, m
from theorems.shallow_transformer.model.queries_and_keys import real_letters

HEADS = claim(
    "st.rem2",
    at="Remark 2",
    title="Independent heads are a block-diagonal feed-forward layer",
    states=sentence(
        r"V = \operatorname{blkdiag}(U_1^\top,\dots,U_m^\top), \quad"
        r" A($X) = (a($X;W_1),\dots,a($X;W_m))"
        r" \implies $sigma(VA($X))_i = h($X;\theta_i), \quad"
        r" f = $m^{$power}c^\top$sigma(VA($X))",
        power=Fraction(-1, 2),
    ),
    note="proofs_notes/st_softmax.md#gradients-of-the-network",
)


@HEADS.argued(
    bridge="Row i of V has U_i at the coordinates of head i and zeros elsewhere, for every number"
    " of heads and every dimension.",
    over={m: integers(1)},
)
def block_diagonal_layer(power: Any) -> Obligations:
    """Heads, tokens and a query in letters: m heads in dimension d."""
    for heads_, size in ((1, 2), (2, 1), (3, 2)):
        heads = [(sp.Symbol(f"c{i}", real=True), real_letters(f"U{i}", size),
                  real_letters(f"W{i}", size, size)) for i in range(heads_)]  # fmt: skip
        net, tokens, one = (ExactTransformer(heads), real_letters("X", 2, size), real_letters("q", size))
        A = sp.Matrix.vstack(*(sp.Matrix(net.mean(tokens, one, i + 1)) for i in range(heads_)))
        V = sp.diag(*(head[1].T for head in heads))
        layer = (V * A).applyfunc(net.activation)
        same = all(bool(layer[i] == net.hidden(tokens, one, i + 1)) for i in range(heads_))
        yield f"m = {heads_}, d = {size}: heads", same
        weighted = sum(one[0] * value for one, value in zip(heads, layer, strict=True))
        output = weighted * sp.Integer(heads_) ** sp.Rational(power)
        agrees = bool(sp.expand(output - net.output(tokens, one)) == 0)
        yield f"m = {heads_}, d = {size}: output", agrees
