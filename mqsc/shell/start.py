"""Starts the interactive shell: the prompt first, then everything else in a thread while the user
types.

The imports of this file determine how soon the prompt appears.
"""

from __future__ import annotations

import os
import platform
import re
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING

import click

from mqsc.console.config import value
from mqsc.console.options import Choices
from mqsc.console.target import opened_queue_manager, path_of_file
from mqsc.console.terminal import print_line, printable
from mqsc.language.secrets import secret_spans
from mqsc.scripts.reply_output import heading
from mqsc.shell.command_history import command_history
from mqsc.shell.editor import Editor
from mqsc.shell.own_commands import RunCommand, SessionSurroundings
from mqsc.shell.settings import Settings
from mqsc.store.sqlite.driver import library_warning
from mqsc.store.sqlite.first_look import name_of_queue_manager

if TYPE_CHECKING:
    from mqsc.shell.assistant import Assistant
    from mqsc.shell.session import ShellSession


_VARIABLE = re.compile(r"\+([A-Za-z_][A-Za-z0-9_]*)\+")


def run_shell(
    choices: Choices,
    run: RunCommand,
    group: click.Group,
    *,
    create: bool = True,
    classic: bool = False,
) -> int:
    """Run commands until END, EXIT, QUIT or the end of file, and return the exit code of the
    commands.

    With `create`, a missing or empty store gets its first queue manager. `run` runs `mqsc` with
    arguments and returns the exit code; `group` are its commands. With `classic`, output is as in
    runmqsc.
    """
    settings = Settings(
        "classic" if classic else value("format"),
        keys=value("keys"),
        system=not value("hide_system"),
    )
    with ExitStack() as stack:

        def make(ask: Callable[[str], bool]) -> tuple[ShellSession, Assistant]:
            from mqsc.shell.assistant import Assistant
            from mqsc.shell.session import ShellSession
            from mqsc.store.sqlite.untouched import cannot_be_written

            unwritable = not choices.store_is_missing() and cannot_be_written(path_of_file(choices))
            opened = choices._replace(only_reads=unwritable)
            qmgr = stack.enter_context(opened_queue_manager(opened, create=create))
            session = ShellSession(qmgr, SessionSurroundings(opened, run, ask), settings)
            if unwritable:
                session.past.stay_unchanged()
            return session, Assistant(session, partial(command_at, group))

        loading = _Loading(make)
        name = _name_at_once(choices)
        if name is None:
            # The store must be created, or something is wrong with it: that is said before the
            # first prompt.
            name = loading.session().qmgr.name
        for line in heading(name):
            print_line(line)
        sys.stdout.flush()
        editor = Editor(command_history(is_secret), loading.assistant, settings.keys)
        loading.serve(editor)
        _read(loading, editor, name)
        session = loading.session()
        stack.callback(_print_tally, session)
        try:
            session.close()
        finally:
            sys.stdout.flush()
    return session.exit_code


def _print_tally(session: ShellSession) -> None:
    for line in session.tally.lines():
        print_line(line)


def _read(loading: _Loading, editor: Editor, name: str) -> None:
    """Read commands and carry them out until the shell ends."""
    draft = since = ""
    while True:
        prompt = f"{since}{prompt_of(name)}"
        try:
            text = editor.read(prompt, draft)
        except KeyboardInterrupt:
            draft = ""
            continue
        except EOFError:
            return
        session = loading.session()
        editor.remember(text)
        session.prompt_width = len(prompt)
        try:
            if session.carry_out(text):
                return
        except BaseException as error:
            session.close(type(error), error)
            raise
        name, draft = session.qmgr.name, session.take_draft()
        since = f"[{session.past.moment}] " if session.past.moment else ""
        editor.keys(session.settings.keys)


class _Loading:
    """Loads the program and opens the store in a thread."""

    def __init__(
        self,
        make: Callable[[Callable[[str], bool]], tuple[ShellSession, Assistant]],
    ) -> None:
        """`make` opens the session, which asks its questions with the function that it gets."""
        self._make = make
        self._editor: Editor | None = None
        self._thread: threading.Thread | None = None
        self._session: ShellSession | None = None
        self._assistant: Assistant | None = None
        self._error: BaseException | None = None

    def serve(self, editor: Editor) -> None:
        """Load after the prompt has been drawn, and draw it again when everything is there."""
        self._editor = editor
        if self._session is None:
            editor.when_drawn(self._start)

    def _start(self) -> None:
        if self._session is None and self._error is None:
            self._thread = threading.Thread(target=self._load, daemon=True)
            self._thread.start()

    def session(self) -> ShellSession:
        """The session, as soon as it is there; raises the error that prevented it."""
        if self._thread is not None:
            self._thread.join()
        elif self._session is None:
            self._load()
        if self._error is not None:
            raise self._error
        assert self._session is not None
        return self._session

    def assistant(self) -> Assistant | None:
        return self._assistant

    def _ask(self, question: str) -> bool:
        return self._editor is not None and self._editor.ask(question)

    def _load(self) -> None:
        try:
            self._session, self._assistant = self._make(self._ask)
        except BaseException as error:
            self._error = error
        if self._editor is None:
            return
        if self._error is None:
            self._editor.redraw()
        else:
            self._editor.give_up()


def command_at(group: click.Group, path: str) -> click.Command | None:
    """The command of the command line at a path such as "dlq show"; None if there is none."""
    command: click.Command | None = group
    for name in path.split():
        if name.startswith("-") or not isinstance(command, click.Group):
            break
        command = command.get_command(click.Context(command), name)
    return command


def _name_at_once(choices: Choices) -> str | None:
    """The name of the queue manager, if the driver alone can find it."""
    if choices.store_is_missing() or library_warning():
        return None
    url = choices.store_url()
    path = url.removeprefix("sqlite:///")
    if path == url or not path or set(path) & set(":?%"):
        return None
    return name_of_queue_manager(os.path.expanduser(path), choices.qmgr_name())


def is_secret(text: str) -> bool:
    """Whether a command has a secret value. Asked after the first command, when the vocabulary
    has been loaded.
    """
    return bool(secret_spans(text))


def prompt_of(qmgr: str) -> str:
    """The prompt by the settings, with +QMNAME+, +MQ_HOST_NAME+ and +environment variables+
    replaced.
    """
    values = {**os.environ, "QMNAME": qmgr, "MQ_HOST_NAME": platform.node()}
    return printable(_VARIABLE.sub(lambda found: values.get(found[1], found[0]), value("prompt")))
