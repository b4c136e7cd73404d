"""Commands under IBM's names, with IBM's own arguments, over the same functions."""
