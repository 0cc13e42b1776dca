"""Premises of proofs that several sections share."""
