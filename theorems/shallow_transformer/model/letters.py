r"""Letters for Remark 1: moments of the product of keys and queries, and random logits."""

from typing import Any

from sympy import Min

from theorems.shallow_transformer.letters.paper import LETTERS, size


def _fourth(scaling: Any, keys: Any) -> Any:
    """Sums of one or two of the k summands, of fourth moment 9 and second moment 1."""
    return scaling**4 * (9 * keys + 3 * keys * (keys - 1))


def _squares(scaling: Any, keys: Any) -> Any:
    """The fourth moment of the length of a key, less the square of the second."""
    return scaling**4 * (3 * keys + keys * (keys - 1) - keys**2)


fourth_moment = LETTERS.function(
    "fourth_moment",
    r"\mathbb{E}W_{ij}^4",
    "fourth moment of an entry of W",
    closed_form=_fourth,
    justified_by="st.rem1.law",
)
squares_covariance = LETTERS.function(
    "squares_covariance",
    r"\operatorname{Cov}(W_{ij}^2,W_{ij'}^2)",
    "covariance of the squares of two entries of one row",
    closed_form=_squares,
    justified_by="st.rem1.law",
)
fullest_rank = LETTERS.function(
    "fullest_rank",
    r"\max\operatorname{rank}W_K^\top W_Q",
    "largest rank of a product of keys and queries",
    shown=0,
    closed_form=Min,
    justified_by="st.rem1.rank",
)
distance_mean = size(
    "distance_mean",
    r"\mathbb{E}\|\sigma_s(z)-\tfrac1T\mathbf{1}\|_1",
    "mean distance of the softmax weights from equal ones",
)
logit_sup_mean = size("logit_sup_mean", r"\mathbb{E}\max_t|z_t|", "mean of the largest logit")
