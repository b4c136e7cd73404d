"""The commands of `mqsc`; `mqsc.main` finds them.

What reads the arguments of a command and prints its result belongs here; work that others need too does not.
"""
