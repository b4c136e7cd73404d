"""Triggering: the fourteen conditions, the occasions that evaluate them, and the trigger message."""
