"""The messages of channels as they are reported and recorded."""

from __future__ import annotations

from mqsc.language.messages import TEXTS


def text(message: str, **values: object) -> str:
    """A message with its id in front."""
    return f"{message}: {TEXTS[message].format(**values)}"
