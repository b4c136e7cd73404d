"""Events of the history as text: a line for each where programs read it, a paragraph on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from mqsc.console.parameter_types import iso
from mqsc.console.terminal import printable, wrapped
from mqsc.history.event_text import facts_of, what_happened
from store.rules.message_trace import TracedEvent

# From this width, the text begins beside the time and the queue manager.
WIDE = 80
GAP = "  "
BETWEEN_FACTS = "; "


class HistoryText:
    """Makes lines of at most `width` for one event after the other; a heading shows where a new day begins."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._day = ""
        self._column = 0

    def lines(self, event: TracedEvent) -> Iterator[str]:
        """The lines of the next event."""
        facts = BETWEEN_FACTS.join(facts_of(event))
        if self._width == sys.maxsize:
            yield printable(GAP.join((iso(event.at), event.qmgr, f"{what_happened(event)}{BETWEEN_FACTS}{facts}")))
            return
        date, _, time = iso(event.at).removesuffix("Z").partition("T")
        if date != self._day:
            self._day = date
            yield f"{date} UTC"
        # Names that come later may be longer, and their text then begins further to the right.
        self._column = max(self._column, len(event.qmgr))
        head = f"{time:<15}{GAP}{event.qmgr:<{self._column}}{GAP}"
        if self._width < WIDE or len(head) > self._width // 2:
            yield from wrapped(printable(f"{time}{GAP}{event.qmgr}"), self._width, hanging=GAP)
            head = indent = GAP
        else:
            indent = " " * len(head)
        yield from wrapped(printable(what_happened(event)), self._width, head, hanging=f"{indent}{GAP}")
        yield from wrapped(printable(facts), self._width, f"{indent}{GAP}", hanging=f"{indent}{GAP}")
