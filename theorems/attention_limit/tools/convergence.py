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
        r"X_n \xrightarrow{d} X \iff \mathbb{E} f(X_n) \to \mathbb{E} f(X), \ f \text{ bounded,"
        r" continuous} \iff \text{the same}, \ f \text{ bounded, Lipschitz} \iff"
        r" \mathbb{P}(X_n \in B) \to \mathbb{P}(X \in B), \ X \notin \partial B \text{ a.s.}"
    ),
)
PORTMANTEAU.cited("van der Vaart, Asymptotic Statistics (1998), Lemma 2.2", why=_WHY)

VITALI = claim(
    "attn.factC1",
    at="Fact C.1",
    title="Convergence in probability and uniform integrability are convergence of means of sizes",
    states=sentence(
        r"X_n \to X \text{ in probability},\ X_n \text{ integrable}: \quad"
        r" (X_n) \text{ uniformly integrable} \iff"
        r" \mathbb{E}|X_n| \to \mathbb{E}|X| < \infty"
    ),
)
VITALI.cited("Kallenberg, Foundations of Modern Probability (2002), chapter 4", why=_WHY)

TO_ZERO = claim(
    "attn.remC1",
    at="Remark C.1",
    title="For limits in probability that are zero",
    states=sentence(
        r"X_n \text{ vanishes in probability}: \quad \mathbb{E}|X_n| \text{ vanishes} \iff"
        r" (X_n) \text{ uniformly integrable; then } \mathbb{E} X_n \text{ vanishes as well}"
    ),
    rests_on=VITALI,
)
TO_ZERO.cited("the paper's Fact C.1, for the limit 0", why=_WHY)

MOMENTS = claim(
    "attn.factC2",
    at="Fact C.2",
    title="Bounded moments of an order above one make a sequence uniformly integrable",
    states=sentence(
        r"\sup_n \mathbb{E}|X_n|^\delta < \infty \text{ for some } \delta \text{ above one}"
        r" \implies (X_n) \text{ uniformly integrable}"
    ),
)
MOMENTS.cited("de la Vallée-Poussin's criterion (Kallenberg 2002, chapter 4)", why=_WHY)
