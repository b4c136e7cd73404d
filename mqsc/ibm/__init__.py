"""Commands with IBM's names and IBM's arguments, built on the same functions as the others."""
