"""Compiled twins of the functions in `spamnb.bayes`."""
