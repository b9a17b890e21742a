"""A naive Bayes spam filter for the command line, for English and Chinese mail."""

__version__ = "0.1.0"
