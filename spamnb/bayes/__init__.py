"""Naive Bayes estimators and their kin, with scikit-learn's interface and names."""
