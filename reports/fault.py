"""How making a report fails."""

from __future__ import annotations


class ReportError(Exception):
    """A report cannot be made; the text is one sentence for the user that says what to do about it."""


class MakingFault(ReportError):
    """It went wrong while the report was made; a plain ReportError is one before the first was begun."""
