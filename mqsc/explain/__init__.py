"""Explains reason codes, messages, rules, keywords, objects and verbs: `mqsc explain`.

The words and codes that a user may ask about belong here, with their explanations.
"""
