"""Completes names of queue managers and queues in the user's shell, from the store; none without one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from mqsc.console.choices import choices_of
from mqsc.console.object_names import defined_names, queue_managers

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_OF_SYSTEM = "SYSTEM."


def queue_managers_to_complete(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """For `shell_complete` of a parameter: the queue managers and queue-sharing groups of the store."""
    return _items(queue_managers(choices_of(context)), incomplete)


def queues_to_complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """For `shell_complete` of a parameter: the queues; SYSTEM queues only once their name is begun."""
    names = defined_names(choices_of(context), "queue")
    begun = incomplete.upper().startswith("S")
    return _items((name for name in names if begun or not name.startswith(_OF_SYSTEM)), incomplete)


def _items(names: Iterable[str], incomplete: str) -> list[CompletionItem]:
    """The names that begin as typed; in lower case it means upper case, unless a name begins so."""
    from click.shell_completion import CompletionItem

    known = list(names)
    found = [each for each in known if each.startswith(incomplete)]
    return [CompletionItem(each) for each in found or (each for each in known if each.startswith(incomplete.upper()))]
