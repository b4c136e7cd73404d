"""Which changes of a queue need FORCE: those that affect programs that have it open, or messages on
it.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from mqsc.store.catalog import Kind, Stored, attribute

# Keyword → (before, after); None where the attribute has no value.
Changes = Mapping[str, tuple[Stored | None, Stored | None]]


class QueueUse(NamedTuple):
    """How a queue is in use: handles open for input, any open handle, messages, and handles opened
    through a remote definition that is a queue manager alias.
    """

    input_handles: int
    is_open: bool
    has_messages: bool
    is_manager_alias: bool


# By the `force` mark in the attribute's row in the catalog; `value` is the new value.
_NEEDED: Mapping[attribute.Force, Callable[[QueueUse, Stored | None], bool]] = {
    attribute.Force.INPUT_HANDLES: lambda use, value: value == "NOSHARE" and use.input_handles > 1,
    attribute.Force.MESSAGES_OR_HANDLES: lambda use, _: use.has_messages or use.is_open,
    attribute.Force.HANDLES: lambda use, _: use.is_open,
    attribute.Force.RESOLVED: lambda use, _: use.is_manager_alias,
}


def needs_force(kind: Kind, changes: Changes, use: QueueUse) -> bool:
    """Whether any of the changes needs FORCE while the queue is in use (FORCE rules of ALTER)."""
    marks = {word: kind.attributes[word].force for word in changes if word in kind.attributes}
    return any(
        mark in _NEEDED and _NEEDED[mark](use, changes[word][1]) for word, mark in marks.items()
    )


def has_marked(kind: Kind, changes: Changes) -> bool:
    """Whether any of the changes can need FORCE, whatever the use of the queue."""
    return any(
        kind.attributes[word].force in _NEEDED for word in changes if word in kind.attributes
    )
