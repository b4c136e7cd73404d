"""How making a report fails."""

from __future__ import annotations


class ReportFault(Exception):
    """A report cannot be made; the text is one sentence for the user that says what to do about it."""


class MakingFault(ReportFault):
    """It went wrong while the report was made; a plain ReportFault is one before the first was begun."""
