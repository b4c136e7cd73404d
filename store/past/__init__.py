"""The past of a store: its state after an earlier event, and whether its history accounts for
every message.
"""
