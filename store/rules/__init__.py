"""Decisions: facts in, verdict out. Nothing here reads a clock, a table or a file."""
