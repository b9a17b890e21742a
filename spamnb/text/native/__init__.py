"""Compiled twins of the functions that take most of the time of a mail; see `spamnb.native`."""
