"""Token lists → counts: the sparse `CountMatrix` and the vocabulary of its columns."""
