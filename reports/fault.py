"""The one way in which making a report fails."""

from __future__ import annotations


class ReportFault(Exception):
    """A report cannot be made; the text is one sentence for the user that says what to do about it."""
