"""Explains reason codes, messages, rules, keywords, objects and verbs: `mqsc explain`.

Words and codes that a user may ask about belong here, with what is said of them.
"""
