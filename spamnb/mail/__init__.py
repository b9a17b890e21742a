"""Bytes → `Message`, and the places and corpora that mail comes from."""
