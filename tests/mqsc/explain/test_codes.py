"""The tables of codes and messages: complete rows, and valid names."""

from __future__ import annotations

import pytest

from mqsc.language.codes import codes_of, explain_code, explain_message, ibm_messages, messages, number_of, reasons
from mqsc.language.messages import TEXTS
from store.constants import value_of


def test_every_reason_has_a_number_a_cause_and_something_to_do() -> None:
    assert len(reasons()) >= 120
    assert [name for name, meaning in reasons().items() if not (meaning.cause and meaning.action)] == []
    assert all(value_of(name) >= 0 for name in reasons())


def test_every_message_has_a_cause_and_something_to_do() -> None:
    assert [name for name, meaning in messages().items() if not (meaning.cause and meaning.action)] == []
    assert all(name[-1] in "IWES" for name in messages())


def test_messages_of_ibm_mq_are_explained_but_never_printed_here() -> None:
    assert [name for name, meaning in ibm_messages().items() if not (meaning.cause and meaning.action)] == []
    assert all(name[-1] in "IWES" for name in ibm_messages())
    assert {*ibm_messages()} & {*TEXTS, *messages()} == set()
    (found,) = explain_message("AMQ9777")
    assert found.parts[-1].label == "here"


def test_every_message_that_is_printed_is_explained() -> None:
    found = {each: next(explain_message(each)) for each in TEXTS}
    silent = [each for each, told in found.items() if not any(part.label == "cause" for part in told.parts)]
    assert silent == []


@pytest.mark.parametrize(
    ("word", "names"),
    [
        ("2053", ["MQRC_Q_FULL"]),
        ("0X805", ["MQRC_Q_FULL"]),
        ("Q_FULL", ["MQRC_Q_FULL"]),
        ("mqrc_q_full", ["MQRC_Q_FULL"]),
        ("4005", ["MQRCCF_ATTR_VALUE_ERROR"]),
        ("258", ["MQFB_EXPIRATION"]),
        # A name that belongs to two families.
        ("CONNECTION_ID_ERROR", ["MQRCCF_CONNECTION_ID_ERROR"]),
        ("UNEXPECTED_ERROR", ["MQRC_UNEXPECTED_ERROR", "MQRCCF_UNEXPECTED_ERROR"]),
        ("MQRC_FILTER_ERROR", []),
        ("MQGMO_WAIT", []),
        ("-1", []),
        ("99999999999999999999", []),
    ],
)
def test_codes(word: str, names: list[str]) -> None:
    assert [code.name for code in codes_of(word)] == names


@pytest.mark.parametrize(
    ("word", "number"),
    [
        ("12", 12),
        ("0x10", 16),
        ("0X00000805", 2053),
        ("X805", 2053),
        ("x'805'", 2053),
        ("X'00000805'", 2053),
        ("RC2053", 2053),
        ("mqrc2053", 2053),
        ("00012", 12),
        ("x", None),
        ("XADD", None),
        ("X'805", None),
        ("0x", None),
        ("", None),
        ("1e3", None),
        ("1_000", None),
        ("-1", None),
    ],
)
def test_numbers(word: str, number: int | None) -> None:
    assert number_of(word) == number


def test_a_reason_names_the_message_that_it_is_answered_with() -> None:
    (found,) = explain_code("2085")
    assert [part.text for part in found.parts if part.label == "message"] == ["AMQ8147E"]


def test_a_message_names_its_reasons() -> None:
    (found,) = explain_message("amq8148")
    (reason,) = [part.text for part in found.parts if part.label == "reason"]
    assert "MQRC_OBJECT_IN_USE" in reason.split(", ")
    assert found.heading.startswith("AMQ8148E: IBM MQ object in use")
