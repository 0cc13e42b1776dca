"""Fact 3.1, Theorem 3.1 and Corollary 3.2: convergence of averages, and of single coordinates."""

from theorems.attention_limit.letters.table import claim
from theorems.engine import sentence

_NOTE = "proofs_notes/attn_proofs.md#the-supremum-and-the-mean"

MASTER = claim(
    "attn.fact31",
    at="Fact 3.1",
    title="Averages over the coordinates of vectors in a program converge almost surely",
    states=sentence(
        r"\operatorname{mean}_\alpha \psi(h_\alpha) \xrightarrow{\text{a.s.}} \mathbb{E}\,\psi(Z^h)"
        r" \text{ for all pseudo-Lipschitz } \psi \text{ and vectors } h = (h^i)_{i \le k},"
        r" \text{ the mean being that over the coordinates}",
    ),
)
MASTER.cited(
    "Yang, Tensor Programs I (2019), Theorem 5.4",
    why="it is about all programs and all pseudo-Lipschitz functions; the paper quotes it as well",
)

_OPEN = (
    "the steps of the printed proof are claims of Appendix D: three of them fail as printed and are"
    " repaired, in the note as a whole; that the repaired steps add up to the theorem is prose, and"
    " for inputs that depend on the matrices of the scores one step is missing"
)

THEOREM = claim(
    "attn.thm31",
    at="Theorem 3.1; Theorem 4.1",
    title="Averages over the coordinates behind an attention layer converge in law",
    states=sentence(
        r"\operatorname{mean}_\alpha \psi(h_\alpha) \xrightarrow{d}"
        r" \mathbb{E}[\psi(Z^h) \mid \mathring{p}]"
        r" \text{ for all bounded pseudo-Lipschitz } \psi, \quad h = (h^i)_{i \le k}, \quad"
        r" \mathring{p} = (\mathring{p}_i)_{i \le r}",
    ),
    note=_NOTE,
)
THEOREM.left_open(_OPEN)

COROLLARY = claim(
    "attn.cor32",
    at="Corollary 3.2",
    title="Coordinates of vectors behind an attention layer converge in law",
    states=sentence(
        r"h_\alpha \xrightarrow{d} Z^h, \quad h = (h^i)_{i \le k}, \text{ for every } \alpha",
    ),
    rests_on=[THEOREM],
    note="proofs_notes/attn_proofs.md#the-truncation",
)
COROLLARY.left_open("it follows from Theorem 3.1 with the corrected truncation, in prose")
