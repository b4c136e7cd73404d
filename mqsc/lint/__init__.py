"""Checks MQSC scripts without a queue manager: errors, and lint rules (`mqsc check`)."""
