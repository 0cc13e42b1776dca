"""Layers of attention on which the claims of several sections are checked."""
