"""A definition as DISPLAY and MQINQ show it: every attribute by keyword, with its name and dates."""

from collections.abc import Mapping
from typing import Any

from mqsc.store.catalog import Kind, constants
from mqsc.store.engine.definitions import complete, plain_name
from mqsc.store.message_times import put_date, put_time
from mqsc.store.sql.objects import DisplayedRow
from mqsc.store.sql.rows import ManagerRow, QueueRow

DisplayedValues = dict[str, Any]


def displayed(
    kind: Kind,
    name: str,
    attributes: Mapping[str, Any],
    created_at: int,
    altered_at: int,
) -> DisplayedValues:
    values: DisplayedValues = complete(kind, attributes)
    values.update(constants(kind))
    if "NAMCOUNT" in kind.attributes:
        values["NAMCOUNT"] = len(values["NAMES"])
    values[_name_word(kind)] = plain_name(name)
    values["ALTDATE"], values["ALTTIME"] = date_and_time(altered_at)
    values["CRDATE"], values["CRTIME"] = date_and_time(created_at)
    return values


_SWITCHED = ("QDPHIEV", "QDPLOEV", "QDPMAXEV", "QSVCIEV")


def events_in_force(kind: Kind, queue: QueueRow | DisplayedRow) -> DisplayedValues:
    """The attributes that a performance event of a local queue switches, with their current
    values (events P4).
    """
    columns = dict(kind.hot_columns)
    values = {}
    for word in _SWITCHED:
        current = getattr(queue, columns[word].name)
        values[word] = next(
            text for text, number in columns[word].numbers.items() if number == current
        )
    return values


def in_order(kind: Kind, values: DisplayedValues) -> DisplayedValues:
    first = _name_word(kind)
    return {
        first: values[first],
        **{word: values[word] for word in kind.display_order if word in values},
    }


def _name_word(kind: Kind) -> str:
    """The keyword that shows the name: QUEUE for every type of queue."""
    return kind.keyword if kind.keyword in kind.key else kind.key[0]


def of_queue_manager(values: DisplayedValues, qmgr: ManagerRow) -> DisplayedValues:
    """The values of DISPLAY QMGR and MQINQ that are not attributes of the definition."""
    return {"QMID": queue_manager_identifier(values), "QSGNAME": qmgr.sharing_group}


def queue_manager_identifier(values: DisplayedValues) -> str:
    """QMID: the queue manager's name and the moment of its creation."""
    return f"{values['QMNAME']}_{values['CRDATE']}_{values['CRTIME']}"


def date_and_time(moment: int) -> tuple[str, str]:
    """A moment (microseconds UTC) as yyyy-mm-dd and hh.mm.ss."""
    day, clock = put_date(moment), put_time(moment)
    return f"{day[:4]}-{day[4:6]}-{day[6:]}", f"{clock[:2]}.{clock[2:4]}.{clock[4:6]}"
