"""Sampled tokens, heads, networks and runs, on which claims of several sections are tested."""
