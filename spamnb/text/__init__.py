"""`Message` → tokens."""
