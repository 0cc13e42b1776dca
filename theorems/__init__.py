"""What the papers claim, and the machinery that judges it."""
