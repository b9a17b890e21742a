"""What compiled modules share, and how a function finds its compiled twin."""
