"""The messages of channels as they are reported and recorded."""

from __future__ import annotations

from mqsc.language.messages import TEXTS

_DETAIL = "{detail}"


def text(message: str, **values: object) -> str:
    """A message with its id in front; a `detail` that it has no place for follows it."""
    form = TEXTS[message]
    if "detail" in values and _DETAIL not in form:
        form = f"{form.removesuffix('.')}: {_DETAIL}."
    return f"{message}: {form.format(**values)}"


def is_informational(reported: str) -> bool:
    """Whether a line such as `QM1: AMQ8024I: ...` only informs, so that --quiet leaves it out."""
    return reported.partition(": ")[2][:8].endswith("I")
