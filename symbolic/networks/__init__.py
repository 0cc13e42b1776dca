"""Networks over exact numbers and letters: forward pass, Jacobian, neural tangent kernel."""
