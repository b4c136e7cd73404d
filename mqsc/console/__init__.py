"""Shared by the commands: options, opening the store, reading input, layout of output.

Input and output that several commands share belong here. It may use the language, but no verbs.
"""
