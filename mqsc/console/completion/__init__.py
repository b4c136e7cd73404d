"""Completion in the shell of the user: names from the store, and the scripts that ask for them."""
