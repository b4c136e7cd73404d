"""Exports the definitions of a queue manager as MQSC, JSON and YAML, and compares those of two queue managers."""
