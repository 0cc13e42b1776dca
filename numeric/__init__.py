"""The same mathematics as numbers: floats, arrays, mpmath, certified balls."""
