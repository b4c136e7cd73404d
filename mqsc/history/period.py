"""Times in the past, which users may give as a length of time before now."""

import click

from mqsc.console.choices import Choices
from mqsc.console.parameters import Ago
from mqsc.store.admin.read_only_store import managers_of
from mqsc.store.engine.state import StoreState


def moment(when: int | Ago | None, store: StoreState, choices: Choices) -> int | None:
    """The moment that `when` means; an Ago counts from the time of the chosen or the default
    queue manager.
    """
    return when.before(_now(store, choices)) if isinstance(when, Ago) else when


def period(
    since: int | Ago | None,
    until: int | Ago | None,
    store: StoreState,
    choices: Choices,
) -> list[int | None]:
    """The moments that --since and --until mean; UsageError if no event can be between them."""
    begin, end = (moment(each, store, choices) for each in (since, until))
    if begin is not None and end is not None and begin >= end:
        raise click.UsageError("--since is not before --until, so no event can be between them")
    return [begin, end]


def _now(store: StoreState, choices: Choices) -> int:
    """The time of the chosen queue manager, of the default one, or of the machine."""
    managers = managers_of(store)
    return managers.now.get(choices.qmgr_name() or managers.default, store.environment.clock.now())
