"""Messages → `Verdict` and `Explanation`."""
