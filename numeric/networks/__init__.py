"""Samplers of the networks that the papers are about."""
