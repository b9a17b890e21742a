"""The model store: a trained filter ↔ a directory of plain data."""
