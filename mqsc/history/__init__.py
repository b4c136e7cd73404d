"""The history as text and JSON: events, the life of a message, and the moments and messages that a
user names.

How events are shown belongs here; the search for them is in `store.admin`.
"""
