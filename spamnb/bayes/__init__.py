"""Naive Bayes estimators on sparse counts, with scikit-learn's interface and names."""
