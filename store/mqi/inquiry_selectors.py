"""The selectors of MQINQ and MQSET."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from msgspec import Struct

from mqsc.store.catalog import KINDS
from mqsc.store.catalog.pcf import NAME, pcf_attributes
from mqsc.store.constants import MQRC

_SHOWN_AS = {"QTYPE": "TYPE", "NAMCOUNT": "NAMES"}
# Parameters of commands, facts about clusters, attributes without a selector that is documented,
# and secrets.
_WITHOUT_SELECTOR = frozenset(
    "AUTHEVSC CLUSDATE CLUSQMGR CLUSQT CLUSTIME CMDSCOPE INITKEY KEYRPWD OTELPCTL OTELTRAC PSID "
    "QSGDISP TPIPE".split(),
)
# What MQSET can change in a queue. The reason for a wrong value; of a text, for one that is too
# long.
_REFUSALS = {
    "GET": MQRC.INHIBIT_VALUE_ERROR,
    "PUT": MQRC.INHIBIT_VALUE_ERROR,
    # No reason is documented for a wrong one.
    "DISTL": MQRC.INHIBIT_VALUE_ERROR,
    "TRIGGER": MQRC.TRIGGER_CONTROL_ERROR,
    "TRIGTYPE": MQRC.TRIGGER_TYPE_ERROR,
    "TRIGDPTH": MQRC.TRIGGER_DEPTH_ERROR,
    "TRIGMPRI": MQRC.TRIGGER_MSG_PRIORITY_ERR,
    "TRIGDATA": MQRC.CHAR_ATTR_LENGTH_ERROR,
}


class Selector(Struct, frozen=True):
    """A selector: the keyword of its attribute, the numbers of its words and, for a text, the
    length of its field.

    `refusal` is the MQRC for a value that MQSET does not accept; 0 when MQSET cannot change the
    attribute at all.
    """

    number: int
    keyword: str
    length: int
    words: Mapping[str, int]
    refusal: int

    @property
    def not_applicable(self) -> int | str:
        """The value for an object of a type without this attribute (2068): -1, or asterisks."""
        return "*" * self.length if self.length else -1


@cache
def selectors_of(namespace: str) -> Mapping[int, Selector]:
    """The selectors of the objects in a namespace, such as queue or qmgr, by number."""
    of_queues = namespace == "queue"
    left_out = _WITHOUT_SELECTOR | {"QMID"} if of_queues else _WITHOUT_SELECTOR
    selectors: dict[int, Selector] = {}
    for kind in (each for each in KINDS.values() if each.namespace == namespace):
        shown = {**_SHOWN_AS, NAME: kind.keyword if kind.keyword in kind.key else kind.key[0]}
        for word, attribute in pcf_attributes(kind.keyword).items():
            if word not in left_out:
                keyword = shown.get(word, word)
                words = (
                    {**selectors[attribute.number].words, **attribute.words}
                    if attribute.number in selectors
                    else attribute.words
                )
                refusal = _REFUSALS.get(keyword, 0) if of_queues else 0
                selectors[attribute.number] = Selector(
                    attribute.number, keyword, attribute.length, words, refusal
                )
    return selectors
