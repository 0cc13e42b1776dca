"""Claims, the evidence attached to them, the papers that make them, and the registry of all."""
