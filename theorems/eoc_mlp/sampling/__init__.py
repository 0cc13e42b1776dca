"""Random and exact networks on which the claims of several sections are checked."""
