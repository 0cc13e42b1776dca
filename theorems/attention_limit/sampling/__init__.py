"""Cases for searches and simulations: layers of a few heads, tokens and rows."""
