"""The line that is edited.

It is shown before the rest of the program has been loaded, so it asks an Assistant that may not be
there yet.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from typing import TYPE_CHECKING

from prompt_toolkit import PromptSession
from prompt_toolkit.application import Application
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.completion import DynamicCompleter
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.filters import has_completions
from prompt_toolkit.formatted_text import AnyFormattedText
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.lexers import DynamicLexer
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style
from prompt_toolkit.utils import get_cwidth

from mqsc.console.config import value
from mqsc.shell.command_history import CommandHistory
from mqsc.shell.command_text import continuation, last_command

if TYPE_CHECKING:
    from mqsc.shell.assistant import Assistant


# On a narrower terminal the toolbar has only the syntax.
ROOM_FOR_STATUS = 60
# Between the hint and the status, and within the status before the time.
_BEFORE_STATUS = "  "
_LINES_OF_LIST = 8
# The command, the toolbar, and a line above them.
_LINES_OF_PROMPT = 3
# Colours that can be read on black and on white: those of a terminal are often too bright for the
# one or too dark for the other.
STYLES = (
    ("verb", "#2f78d0 bold"),
    ("noun", "#008787"),
    ("keyword", "#af5faf"),
    ("text", "#008700"),
    ("number", "#af5f00"),
    ("name", ""),
    ("comment", "#767676"),
    ("own", "#2f78d0 bold"),
    ("unknown", "#d73a3a underline"),
    ("mark", "#767676"),
    ("auto-suggestion", "#767676"),
    ("bottom-toolbar", "reverse"),
    ("completion-menu.completion.current", "noreverse bg:#005faf #ffffff bold"),
    ("completion-menu.meta.completion.current", "noreverse bg:#005faf #ffffff"),
)


class _Prompt(PromptSession[str]):
    """A prompt that also fits a small window: the list of completions below it gets the
    remaining lines.
    """

    @property
    def reserve_space_for_menu(self) -> int:
        return max(min(_LINES_OF_LIST, shutil.get_terminal_size().lines - _LINES_OF_PROMPT), 0)

    @reserve_space_for_menu.setter
    def reserve_space_for_menu(self, lines: int) -> None:
        """The lines depend on the window only."""


class Editor:
    """Reads commands at a prompt. `assistant` returns None as long as the program is being
    loaded.
    """

    def __init__(
        self,
        history: CommandHistory,
        assistant: Callable[[], Assistant | None],
        keys: str,
    ) -> None:
        self._assistant = assistant
        self._history = history
        self._session = _Prompt(
            history=history,
            multiline=True,
            key_bindings=_bindings(),
            lexer=DynamicLexer(assistant),
            completer=DynamicCompleter(assistant),
            complete_in_thread=True,
            complete_while_typing=True,
            enable_open_in_editor=True,
            auto_suggest=AutoSuggestFromHistory(),
            bottom_toolbar=self._toolbar,
            prompt_continuation=lambda width, _, wraps: "" if wraps else "> ".rjust(width),
            style=Style([*STYLES]),
            color_depth=None if value("colours") else ColorDepth.DEPTH_1_BIT,
            refresh_interval=1.0,
        )
        self.keys(keys)

    def keys(self, name: str) -> None:
        """Use the keys of Emacs or of vi."""
        self._session.editing_mode = EditingMode.VI if name == "vi" else EditingMode.EMACS

    def read(self, prompt: str, draft: str = "") -> str:
        """A complete command, or a pasted block of them; EOFError at Ctrl-D, KeyboardInterrupt at
        Ctrl-C.

        The line to edit begins as `draft`.
        """
        return self._session.prompt(prompt, default=draft)

    def remember(self, text: str) -> None:
        """Add a command to the history unless it has a secret."""
        self._history.remember(text)

    def ask(self, question: str) -> bool:
        """Ask a question on the terminal; anything but y or yes means no."""
        asking: PromptSession[str] = PromptSession()
        try:
            return asking.prompt(question).strip().lower() in ("y", "yes")
        except (EOFError, KeyboardInterrupt):
            return False

    def when_drawn(self, act: Callable[[], None]) -> None:
        """Call `act` when the prompt has been drawn for the first time."""
        drawn = self._session.app.after_render

        def once(app: Application[str]) -> None:
            drawn.remove_handler(once)
            act()

        drawn.add_handler(once)

    def redraw(self) -> None:
        """Draw again after the program has been loaded; may be called from any thread."""
        self._session.app.invalidate()

    def give_up(self) -> None:
        """End the prompt as Ctrl-D does, because the program cannot be loaded; may be called
        from any thread.
        """
        app = self._session.app
        if app.loop is not None:
            app.loop.call_soon_threadsafe(_end, app)

    def _toolbar(self) -> AnyFormattedText:
        assistant = self._assistant()
        width = shutil.get_terminal_size().columns
        if assistant is None:
            return _cut("loading …", width)
        status = assistant.status() if width >= ROOM_FOR_STATUS else ""
        hint = assistant.hint(
            last_command(self._session.default_buffer.document.text_before_cursor),
        )
        status = status_beside(hint, status, width)
        room = width - get_cwidth(status) - len(_BEFORE_STATUS) if status else width
        shown = _cut(hint, room)
        return f"{shown}{' ' * (width - get_cwidth(shown) - get_cwidth(status))}{status}"


def status_beside(hint: str, status: str, width: int) -> str:
    """The status; without its time, or left out, if the hint would be cut otherwise.

    A hint that is wider than the screen is cut beside the whole status.
    """
    needed = get_cwidth(hint) + len(_BEFORE_STATUS)
    without_time = status.rpartition(_BEFORE_STATUS)[0]
    for shown in (status, without_time):
        if needed + get_cwidth(shown) <= width:
            return shown
    return "" if get_cwidth(hint) <= width else status


def _end(app: Application[str]) -> None:
    if app.is_running and not app.is_done:
        app.exit(exception=EOFError)


def _cut(text: str, width: int) -> str:
    """`text` in at most `width` columns, with an ellipsis if it is longer."""
    if get_cwidth(text) <= width:
        return text
    kept = text[: max(width - 1, 0)]
    while kept and get_cwidth(kept) > width - 1:
        kept = kept[:-1]
    return f"{kept}…"


def _bindings() -> KeyBindings:
    bindings = KeyBindings()

    @bindings.add("enter")
    def enter(event: KeyPressEvent) -> None:
        """Take the chosen completion, run a complete command, or continue an incomplete one."""
        buffer = event.current_buffer
        if (
            buffer.complete_state is not None
            and buffer.complete_state.current_completion is not None
        ):
            buffer.complete_state = None
            return
        inserted = continuation(buffer.text)
        if inserted is None:
            buffer.validate_and_handle()
            return
        buffer.cursor_position = len(buffer.text)
        buffer.insert_text(inserted)

    @bindings.add("up", filter=has_completions)
    def up(event: KeyPressEvent) -> None:
        """Move up in the list of completions; from its top, close it and go back in the history."""
        buffer = event.current_buffer
        state = buffer.complete_state
        if state is not None and state.complete_index:
            buffer.complete_previous()
            return
        buffer.complete_state = None
        buffer.auto_up()

    return bindings
