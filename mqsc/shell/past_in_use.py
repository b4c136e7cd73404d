"""The past of the queue manager that the shell shows, or a queue manager elsewhere."""

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
_IN_PAST = frozenset({"as-of", "on", "use", "watch", "foreach"})
_HERE = "here"
_READ_ONLY, _UNWRITABLE = "read-only", "a store that cannot be written"


class PastInUse:
    """Whether the shell shows the past, or a target: `moment` is what the prompt says of that,
    blank for the present of the store. `target` is the name of the target, or blank.
    """

    def __init__(self) -> None:
        self.moment = ""
        self.target = ""
        # What the prompt says of the present: blank, or that the store cannot be written.
        self._at_rest = ""
        self._copy = self._former = ExitStack()
        self._present: Store | None = None
        # The name of the queue manager of that store.
        self._name = ""

    def refuse(self, command: str) -> None:
        """OwnCommandError if the past is shown, and the command does not only read."""
        if self.moment and not (first_word(command) in _IN_PAST or only_reads(command)):
            raise OwnCommandError(
                reply.message_line(
                    reply.ONLY_DISPLAYED,
                    first_word(command),
                    detail=self.shown,
                ),
            )

    @property
    def shown(self) -> str:
        """What can only be displayed."""
        if self._at_rest and self.moment == self._at_rest:
            return _UNWRITABLE
        return self.target or reply.THE_PAST

    def stay_unchanged(self) -> None:
        """Refuse commands that do not only read: the store cannot be written, and the session has
        a copy.
        """
        self.moment = self._at_rest = _READ_ONLY

    def go_to_target(
        self,
        choices: Choices,
        qmgr: QueueManager,
        words: list[str],
    ) -> QueueManager:
        """The queue manager of a target as it is now or, with `here`, that of the store again;
        OwnCommandError. The copy that was in use before stays until `leave_former`.
        """
        if words == [_HERE]:
            return self.go(choices, qmgr, ["now"])
        from mqsc.console.target import opened_queue_manager
        from mqsc.targets.declared import target_named
        from mqsc.targets.reading import read_target

        copy = ExitStack()
        try:
            (name,) = words
            state = copy.enter_context(read_target(choices, target_named(name)))
            elsewhere = copy.enter_context(opened_queue_manager(state.choices))
            state.bring_states(elsewhere)
        except ValueError as error:
            raise OwnCommandError("name one target, or here") from error
        except click.ClickException as error:
            raise OwnCommandError(error.format_message()) from error
        self._use(copy, qmgr, moment=name, target=name)
        return elsewhere

    def go(self, choices: Choices, qmgr: QueueManager, words: list[str]) -> QueueManager:
        """The queue manager as it was at a moment or, with `now`, as it is; OwnCommandError.

        The copy that was in use before stays until `leave_former`.
        """
        present = self._present_of(qmgr)
        copy = ExitStack()
        moment = self._at_rest
        past_queue_manager = None
        try:
            if words != ["now"]:
                when = parameters.EventOrMoment().read(" ".join(words))
                name = self._name if self.target else qmgr.name
                chosen = choices._replace(store=url_of_file(present.path or ""), qmgr=name)
                past_queue_manager = copy.enter_context(past.past_queue_manager(chosen, when))
                moment = parameters.iso(past_queue_manager.now() // MICROSECONDS * MICROSECONDS)
        except (ValueError, click.ClickException) as error:
            said = error.format_message() if isinstance(error, click.ClickException) else str(error)
            raise OwnCommandError(said) from error
        back = self._name if self.target else qmgr.name
        self._use(copy, qmgr, moment=moment)
        return past_queue_manager or present.queue_manager(back)

    def _present_of(self, qmgr: QueueManager) -> Store:
        """The store that the shell was started with."""
        return self._present if self.moment and self._present is not None else qmgr.store

    def _use(self, copy: ExitStack, qmgr: QueueManager, *, moment: str, target: str = "") -> None:
        self._present = self._present_of(qmgr)
        if not self.target:
            self._name = qmgr.name
        self._former = self._copy
        self._copy = copy
        self.moment = moment
        self.target = target

    def leave_former(self) -> None:
        self._former.close()

    def close(self) -> None:
        self._copy.close()
