"""Statements, named after their effect: plain rows in, plain rows out."""
