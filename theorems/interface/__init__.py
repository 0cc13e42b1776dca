"""How people meet the claims: command line, tables, LaTeX, expressions, notebooks."""
