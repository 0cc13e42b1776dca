"""Textbook facts that the papers rest on, cited and spot-checked."""
