"""The model store: a trained filter ↔ a directory of plain data."""

from spamnb.store.files import (
    FORMAT,
    FORMAT_VERSION,
    StoredModel,
    check_destination,
    load_model,
    save_model,
)

__all__ = [
    "FORMAT",
    "FORMAT_VERSION",
    "StoredModel",
    "check_destination",
    "load_model",
    "save_model",
]
