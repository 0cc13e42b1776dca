"""What evidence answers: how a check is run, compared with its statement, and weighed."""
