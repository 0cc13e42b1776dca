"""Accuracy and speed, measured side by side in one run: `python -m benchmarks [name ...]`."""
