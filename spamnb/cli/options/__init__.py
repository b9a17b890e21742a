"""Options that commands share, and what they stand for."""
