"""Reasons, messages and explanations of triggering as text and as JSON."""
