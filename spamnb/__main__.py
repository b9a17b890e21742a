"""``python -m spamnb`` is the ``spamnb`` command."""

from spamnb.cli import main

if __name__ == "__main__":
    main()
