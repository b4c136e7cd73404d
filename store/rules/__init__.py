"""The rules of MQ as pure functions: facts in, decision out. Nothing here reads a clock, a table or a file.

A decision belongs here if it can be made from arguments alone.
"""
