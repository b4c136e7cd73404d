"""Commands with IBM's names and IBM's arguments, built on the same functions as the others.

Arguments and output that only IBM's commands have belong here. `mqsc.start` has their names and
starts them.
"""
