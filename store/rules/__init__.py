"""The rules of MQ as pure functions: facts in, decision out. Nothing here reads a clock or a store;
the only files read are CSV files of the program itself.

A decision belongs here if it can be made from arguments alone.
"""
