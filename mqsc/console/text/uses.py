"""What uses an object, in words."""

from collections.abc import Sequence

from mqsc.console.terminal import printable
from mqsc.store.admin.object_uses import ObjectUse

# More are counted, not named.
_MOST_NAMED = 3


def use_text(use: ObjectUse, qmgr: str) -> str:
    """One use, such as QALIAS(A) TARGET; of another queue manager than `qmgr` with its name."""
    title = f"{use.type}({printable(use.name)})" if use.name else use.type
    elsewhere = "" if use.qmgr == qmgr else f" of {use.qmgr}"
    return f"{title} {use.attribute}{elsewhere}"


def still_named(uses: Sequence[ObjectUse], qmgr: str) -> str:
    """A sentence about the uses of an object that was deleted."""
    texts = [use_text(each, qmgr) for each in uses[:_MOST_NAMED]]
    more = len(uses) - len(texts)
    if more:
        texts.append(f"{more} more; see `mqsc uses`")
    return f"Still named by {', '.join(texts)}."
