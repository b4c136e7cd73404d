"""The interactive shell.

Code that needs a prompt belongs here; commands that also exist without one are in `mqsc.cli`.
"""
