"""What commands print: lines for programs, tables and pictures for people."""
