"""What proofs of several sections take over: premises by name, and inferences that recur."""
