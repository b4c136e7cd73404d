"""Checks MQSC scripts without a queue manager: errors, and lint rules (`mqsc check`).

Checks of scripts belong here; a rule that gives advice is in `mqsc.lint.rules`.
"""
