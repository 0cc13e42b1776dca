"""Matrices by their entries: the covariance of tokens, the Jacobian of softmax, matrices of rank one."""
