"""Reasons, messages and explanations of triggering in words and as data."""
