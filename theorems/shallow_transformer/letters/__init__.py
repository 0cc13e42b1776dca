"""The letters of the paper, and those that its proofs and tests need besides.

The letters of the paper itself are in ``paper``, and all others are declared in the same table, by
what they are about.
"""
