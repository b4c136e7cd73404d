"""The ways to run scripts: plainly, as a plan, or atomically; and `apply`, `diff` and `export`.

Work on a script, a plan or a file of declarations as a whole belongs here; `mqsc.script` performs
single commands.
"""
