"""The texts of messages by id, which are rows of messages.csv.

Ids are those of runmqsc. Ids that begin with MQSC are our own, for cases in which MQ has no message.
"""

from __future__ import annotations

from collections.abc import Mapping

from store.rules.channel import decisions


def _texts() -> dict[str, str]:
    # Read without csv and pathlib, because their import takes longer than all the rest of it. No text has quotes in it.
    with open(__file__.removesuffix("messages.py") + "messages.csv", encoding="utf-8") as file:
        _, *lines = file.read().splitlines()
    return {message_id: text.strip('"') for message_id, _, text in (line.partition(",") for line in lines)}


# The long explanations of the messages, which most commands do not need, are in `explain`.
TEXTS: Mapping[str, str] = {**_texts(), "AMQ9999E": f"{decisions.TEXT}."}


def message_text(message_id: str, name: str = "", detail: str = "") -> str:
    """The text of a message with its inserts: the name of an object, and a detail."""
    return TEXTS[message_id].format(name=name, object=name, detail=detail)


def message_line(message_id: str, name: str = "", detail: str = "") -> str:
    """The message as it is printed: id, colon, text."""
    return f"{message_id}: {message_text(message_id, name, detail)}"
