"""Selection strings are read; the library for that is loaded only with the first of them."""

from __future__ import annotations

from mqsc.store.error import SelectorError
from mqsc.store.rules.selector.conditions import Selector, SelectorFault


def selector_of(text: str, object_name: str) -> Selector:
    """Read a selection string; SelectorError about that object when it cannot be used."""
    from mqsc.store.rules.selector.reading import parse

    try:
        return parse(text)
    except SelectorFault as refused:
        raise SelectorError(
            refused.reason,
            object_name,
            refused.fault,
            refused.position,
        ) from None
