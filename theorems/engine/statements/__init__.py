"""Letters with their domains, relations, sentences with slots, hypotheses, and false variants."""
