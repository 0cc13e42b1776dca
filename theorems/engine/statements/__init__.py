"""Letters with their domains, relations, sentences with slots, hypotheses, and false variants."""

import symbolic.fixed_order  # noqa: F401 - before SymPy is asked anything
