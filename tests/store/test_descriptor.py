"""MessageDescriptor: defaults, order of the fields, identifiers, and times as PutDate and
PutTime.
"""

from __future__ import annotations

from typing import Any

import pytest

from mqsc.store.constants import MQFMT
from mqsc.store.descriptor import FIELDS, MessageDescriptor

MQMD_DEFAULT: dict[str, int | str | bytes] = {
    **{
        "report": 0,
        "msg_type": 8,
        "expiry": -1,
        "feedback": 0,
        "encoding": 546,
        "coded_char_set_id": 0,
        "format": "",
    },
    **{
        "priority": -1,
        "persistence": 2,
        "msg_id": bytes(24),
        "correl_id": bytes(24),
        "backout_count": 0,
    },
    **{
        "reply_to_q": "",
        "reply_to_q_mgr": "",
        "user_identifier": "",
        "accounting_token": bytes(32),
    },
    **{
        "appl_identity_data": "",
        "put_appl_type": 0,
        "put_appl_name": "",
        "put_date": "",
        "put_time": "",
    },
    **{
        "appl_origin_data": "",
        "group_id": bytes(24),
        "msg_seq_number": 1,
        "offset": 0,
        "msg_flags": 0,
    },
    **{"original_length": -1},
}


def test_defaults_are_those_of_mqmd_default_in_the_order_of_the_mqmd() -> None:
    descriptor = MessageDescriptor()
    assert tuple(MQMD_DEFAULT) == FIELDS
    assert {name: getattr(descriptor, name) for name in FIELDS} == MQMD_DEFAULT


def test_fields_are_taken_by_position_in_the_order_of_the_mqmd() -> None:
    values: list[object] = []
    for number, default in enumerate(MQMD_DEFAULT.values()):
        if isinstance(default, bytes):
            values.append(bytes([number]) * len(default))
        else:
            values.append(f"T{number}" if isinstance(default, str) else number)
    descriptor = MessageDescriptor(*values)  # type: ignore[arg-type]
    assert [getattr(descriptor, name) for name in FIELDS] == values


ID_ROWS = [
    ("msg_id", b"", bytes(24)),
    ("msg_id", b"ABC", b"ABC" + bytes(21)),
    ("correl_id", b"x" * 24, b"x" * 24),
    ("group_id", b"G", b"G" + bytes(23)),
    ("accounting_token", b"T", b"T" + bytes(31)),
]


@pytest.mark.parametrize(("field", "given", "kept"), ID_ROWS)
def test_short_ids_are_padded_with_nul(field: str, given: bytes, kept: bytes) -> None:
    assert getattr(MessageDescriptor(**{field: given}), field) == kept  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("field", "length"),
    [("msg_id", 24), ("correl_id", 24), ("group_id", 24), ("accounting_token", 32)],
)
def test_long_ids_are_refused(field: str, length: int) -> None:
    with pytest.raises(
        ValueError,
        match=f"{field} has {length + 1} bytes; at most {length} are allowed",
    ):
        MessageDescriptor(**{field: b"x" * (length + 1)})  # type: ignore[arg-type]


def test_names_lose_their_padding() -> None:
    descriptor = MessageDescriptor(
        format="MQSTR   ",
        reply_to_q="R" + " " * 47,
        put_appl_name="a b\0\0",
    )
    assert (descriptor.format, descriptor.reply_to_q, descriptor.put_appl_name) == (
        "MQSTR",
        "R",
        "a b",
    )
    assert descriptor.format == MQFMT.STRING


def test_a_copy_is_equal_and_separate_and_in_form() -> None:
    descriptor = MessageDescriptor(priority=5)
    descriptor.msg_id = b"assigned"
    descriptor.format = "MQSTR   "
    twin = descriptor.copy()
    assert (twin.msg_id, twin.format, twin.priority) == (b"assigned" + bytes(16), "MQSTR", 5)
    twin.priority = 6
    assert descriptor.priority == 5
    assert (
        MessageDescriptor(priority=5).copy()
        == MessageDescriptor(priority=5)
        != MessageDescriptor(priority=6)
    )


def test_one_made_with_the_time_of_its_put_has_every_field_as_it_is() -> None:
    values = tuple(range(len(MessageDescriptor.__struct_fields__)))
    made = MessageDescriptor(*values)  # type: ignore[arg-type]
    assert tuple(getattr(made, name) for name in MessageDescriptor.__struct_fields__) == values
    assert made.fields() == values[: len(FIELDS)]


def test_every_field_but_identifiers_and_times_makes_a_descriptor_unlike_others() -> None:
    plain = MessageDescriptor(put_date="20260301", put_time="09593012")
    for name in FIELDS:
        other = plain.copy()
        setattr(
            other,
            name,
            {"put_date": "20250302", "put_time": "10000000"}.get(name) or _other(name),
        )
        alike = ("msg_id", "correl_id", "group_id", "put_date", "put_time")
        assert (other.likeness() == plain.likeness()) == (name in alike), name


@pytest.mark.parametrize("value", ["202603010", "", None, 20260301])
def test_a_time_of_another_type_or_length_makes_a_descriptor_unlike_others(value: Any) -> None:
    plain = MessageDescriptor(put_date="20260301")
    try:
        assert MessageDescriptor(put_date=value).likeness() != plain.likeness()
    except TypeError:
        assert not isinstance(value, str | None)


def _other(name: str) -> int | str | bytes:
    default = MQMD_DEFAULT[name]
    return (
        default + 1
        if isinstance(default, int)
        else "x"
        if isinstance(default, str)
        else b"\1" * len(default)
    )


@pytest.mark.parametrize("value", ["5", 5.0, None, 1 << 31, -(1 << 31) - 1])
def test_a_number_that_does_not_fit_has_no_likeness(value: object) -> None:
    descriptor = MessageDescriptor()
    descriptor.priority = value  # type: ignore[assignment]
    with pytest.raises(TypeError):
        descriptor.likeness()


@pytest.mark.parametrize("value", [b"short", bytearray(24), "x" * 24])
@pytest.mark.parametrize("name", ["msg_id", "correl_id", "group_id"])
def test_an_identifier_that_does_not_fit_has_no_likeness(name: str, value: object) -> None:
    descriptor = MessageDescriptor()
    setattr(descriptor, name, value)
    with pytest.raises(TypeError):
        descriptor.likeness()


def test_put_at_supplies_date_and_time_unless_they_are_given() -> None:
    descriptor = MessageDescriptor(put_date=None, put_time=None)
    assert (descriptor.put_date, descriptor.put_time) == ("", "")
    descriptor.put_at = 1_700_000_000_120_000
    assert (descriptor.put_date, descriptor.put_time) == ("20231114", "22132012")
    assert (descriptor.given_put_date, descriptor.given_put_time) == (None, None)
    assert descriptor.copy().put_time == "22132012"
    descriptor.put_date = "20200101"
    assert (descriptor.put_date, descriptor.given_put_date, descriptor.put_time) == (
        "20200101",
        "20200101",
        "22132012",
    )


def test_repr_shows_values_that_are_not_defaults() -> None:
    assert (
        repr(MessageDescriptor(priority=5, format="MQSTR"))
        == "MessageDescriptor(format='MQSTR', priority=5)"
    )
