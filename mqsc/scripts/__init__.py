"""The ways to run scripts: plainly, as a plan, or atomically; and `apply`, `diff` and `export`.

What a script, a plan or a file of declarations does as a whole belongs here; a single command is in `mqsc.script`.
"""
