"""Shared by the commands: options, opening the store, reading input, layout of output."""
