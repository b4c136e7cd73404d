"""The commands of `mqsc`; `mqsc.main` finds them.

Reading the arguments of a command and printing its result belongs here; work that other packages
need does not.
"""
