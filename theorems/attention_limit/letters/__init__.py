"""The letters of "Infinite-Width Limit of a Single Attention Layer", by subject.

Where one sign of the paper means several things, each meaning has a letter of its own, which
prints as the paper's.
"""
