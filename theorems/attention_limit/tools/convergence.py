"""Lemma C.2, Facts C.1 and C.2, Remark C.1: convergence in law and uniform integrability."""

from theorems.attention_limit.letters.table import claim
from theorems.engine import sentence

_WHY = (
    "it is about all sequences of random variables, and about all test functions, for which the"
    " rules have no words; the paper quotes it as well"
)

PORTMANTEAU = claim(
    "attn.lemC2",
    at="Lemma C.2",
    title="Portmanteau lemma: four descriptions of convergence in law",
    states=sentence(
        r"$X_vector \xrightarrow{d} $X_vector_limit"
        r" \iff \mathbb{E} $f_test($X_vector) \to \mathbb{E} $f_test($X_vector_limit),"
        r" \ $f_test \text{ bounded, continuous}"
        r" \iff \text{the same}, \ $f_test \text{ bounded, Lipschitz}"
        r" \iff \mathbb{P}($X_vector \in $B_set) \to \mathbb{P}($X_vector_limit \in $B_set),"
        r" \ $X_vector_limit \notin \partial $B_set \text{ a.s.}"
    ),
)
PORTMANTEAU.cited("van der Vaart, Asymptotic Statistics (1998), Lemma 2.2", why=_WHY)

VITALI = claim(
    "attn.factC1",
    at="Fact C.1",
    title="Convergence in probability and uniform integrability are convergence of means of sizes",
    states=sentence(
        r"$X_number \to $X_number_limit \text{ in probability},"
        r"\ $X_number \text{ integrable}: \quad ($X_number) \text{ uniformly integrable} \iff"
        r" \mathbb{E}|$X_number| \to \mathbb{E}|$X_number_limit| < \infty"
    ),
)
VITALI.cited("Kallenberg, Foundations of Modern Probability (2002), chapter 4", why=_WHY)

TO_ZERO = claim(
    "attn.remC1",
    at="Remark C.1",
    title="For limits in probability that are zero",
    states=sentence(
        r"$X_number \text{ vanishes in probability}:"
        r" \quad \mathbb{E}|$X_number| \text{ vanishes} \iff ($X_number)"
        r" \text{ uniformly integrable; then } \mathbb{E} $X_number \text{ vanishes as well}"
    ),
    rests_on=VITALI,
)
TO_ZERO.cited("the paper's Fact C.1, for the limit 0", why=_WHY)

MOMENTS = claim(
    "attn.factC2",
    at="Fact C.2",
    title="Bounded moments of an order above one make a sequence uniformly integrable",
    states=sentence(
        r"\sup_n \mathbb{E}|$X_number|^{$order} < \infty \text{ for some } $order"
        r" \text{ above one} \implies ($X_number) \text{ uniformly integrable}"
    ),
)
MOMENTS.cited("de la Vallée-Poussin's criterion (Kallenberg 2002, chapter 4)", why=_WHY)
