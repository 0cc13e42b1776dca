"""Runs over many checks: in parallel, kept on disk, repeated only where something changed."""
