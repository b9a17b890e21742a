"""What `speed.py` is made of: processes measured in turn, mail to give them, tables, a picture."""
