"""Explains reason codes, messages, rules, keywords, objects and verbs: `mqsc explain`."""
