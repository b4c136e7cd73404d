"""What tests share with the programs that they start, which would import pytest or SQLAlchemy longer than they run."""

from __future__ import annotations

import re

from store.sqlite.statement import CompiledText, Statement

# 2023-11-14 22:13:20 UTC.
START = 1_700_000_000_000_000
_PARAMETER = re.compile(r":(\w+)")


class SqlText(Statement):
    """A statement that is written as text, with parameters such as :name."""

    def __init__(self, text: str) -> None:
        self._text = text

    def _compile(self) -> CompiledText:
        return CompiledText(_PARAMETER.sub("?", self._text), _PARAMETER.findall(self._text), {})
