"""Theorem 3: what layers of finite widths have in common with their limit, and what not."""

SECTIONS = ("kurtosis", "homogeneous_scores", "drawn_layers", "widths", "distance_from_normal")
