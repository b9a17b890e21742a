"""Files, cores and memory of the machine."""
