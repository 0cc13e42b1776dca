"""Premises of proofs that several sections share, by subject.

What letters stand for, facts of the textbooks about it, and steps from one layer to the next.
"""
