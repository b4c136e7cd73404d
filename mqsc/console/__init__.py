"""Shared by the commands: options, opening the store, reading input, layout of output.

What several commands print or read in the same way belongs here; it knows the language, and no verbs.
"""
