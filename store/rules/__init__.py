"""The rules of MQ as pure functions: facts in, decision out. Nothing here reads a clock, a table or a file."""
