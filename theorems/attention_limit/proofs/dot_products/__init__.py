"""Appendix D.1.1: weak convergence of the dot products."""

SECTIONS = (
    "limit_law",
    "law_of_combinations",
    "half_spaces",
    "independent_inputs",
    "given_the_past",
    "generation",
    "proposition",
    "central_limit_theorem",
    "exchangeability",
    "variance",
    "two_rows",
    "fourth_moments",
    "products_of_means",
)
