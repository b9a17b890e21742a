"""Labels and scores → the measures of a spam filter; validation by split and by folds."""
