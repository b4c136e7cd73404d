"""The past of the queue manager that the shell shows."""

from __future__ import annotations

from contextlib import ExitStack

import click

from mqsc.console import parameters, past
from mqsc.console.options import Choices
from mqsc.language import reply
from mqsc.shell.own_commands import OwnCommandError, first_word, only_reads
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.client.store_url import url_of_file
from mqsc.store.environment import MICROSECONDS

# Of these, the command in them is carried out or refused; or they lead elsewhere.
_IN_PAST = frozenset({"as-of", "use", "watch", "foreach"})


class PastInUse:
    """Whether the shell shows the past: `moment` is blank for the present."""

    def __init__(self) -> None:
        self.moment = ""
        self._copy = self._former = ExitStack()
        self._present: Store | None = None

    def refuse(self, command: str) -> None:
        """OwnCommandError if the past is shown, and the command does not only read."""
        if self.moment and not (first_word(command) in _IN_PAST or only_reads(command)):
            raise OwnCommandError(
                reply.message_line(reply.ONLY_DISPLAYED, first_word(command)),
            )

    def go(self, choices: Choices, qmgr: QueueManager, words: list[str]) -> QueueManager:
        """The queue manager as it was at a moment or, with `now`, as it is; OwnCommandError.

        The copy that was in use before stays until `leave_former`.
        """
        present = self._present if self.moment and self._present is not None else qmgr.store
        copy = ExitStack()
        moment = ""
        past_queue_manager = None
        try:
            if words != ["now"]:
                when = parameters.EventOrMoment().read(" ".join(words))
                chosen = choices._replace(store=url_of_file(present.path or ""), qmgr=qmgr.name)
                past_queue_manager = copy.enter_context(past.past_queue_manager(chosen, when))
                moment = parameters.iso(past_queue_manager.now() // MICROSECONDS * MICROSECONDS)
        except (ValueError, click.ClickException) as error:
            said = error.format_message() if isinstance(error, click.ClickException) else str(error)
            raise OwnCommandError(said) from error
        self._former = self._copy
        self._copy = copy
        self._present = present
        self.moment = moment
        return past_queue_manager or present.queue_manager(qmgr.name)

    def leave_former(self) -> None:
        self._former.close()

    def close(self) -> None:
        self._copy.close()
