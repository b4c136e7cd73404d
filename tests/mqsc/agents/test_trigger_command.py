"""From trigger messages to commands: argument lists without a shell, and messages that cannot be processed."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from mqsc.agents.trigger_monitor import InvalidTriggerMessageError, command_of
from store.descriptor import MessageDescriptor
from store.headers import mqxqh
from store.headers.mqxqh import TriggerMessage
from store.message import Message

TRIGGER = TriggerMessage("APPQ", "P1", "for APPQ", 6, "/bin/serve", "-v", "for P1")
TOLD = 732


def message(body: bytes, encoding: int = 546, ccsid: int = 1208) -> Message:
    return Message(body, MessageDescriptor(format="MQTRIG", encoding=encoding, coded_char_set_id=ccsid))


def asked(changes: dict[str, Any]) -> tuple[list[str | int], bool]:
    """Return the words of the command, with the MQTMC2 replaced by its length, and whether the monitor waits for it."""
    command = command_of(message(mqxqh.pack_mqtm(replace(TRIGGER, **changes))), "QM1")
    words: list[str | int] = [len(word) if word.startswith(b"TMC ") else word.decode() for word in command.words]
    return words, command.waits


# (fields of the trigger message, words, whether the monitor waits)
WORDS: list[tuple[dict[str, Any], list[str | int], bool]] = [
    ({}, ["/bin/serve", TOLD, "-v"], True),
    ({"env_data": ""}, ["/bin/serve", TOLD], True),
    ({"env_data": "-v &"}, ["/bin/serve", TOLD, "-v"], False),
    ({"env_data": "-v&   "}, ["/bin/serve", TOLD, "-v"], False),
    ({"env_data": "&"}, ["/bin/serve", TOLD], False),
    ({"env_data": "a & b"}, ["/bin/serve", TOLD, "a", "&", "b"], True),
    ({"env_data": r"a \&"}, ["/bin/serve", TOLD, "a", "&"], True),
    ({"env_data": "'a &'"}, ["/bin/serve", TOLD, "a &"], True),
    ({"appl_id": "python3 serve.py  --fast"}, ["python3", "serve.py", "--fast", TOLD, "-v"], True),
    ({"appl_id": "'/opt/two words/serve' x"}, ["/opt/two words/serve", "x", TOLD, "-v"], True),
    ({"appl_id": "serve; rm -rf $HOME"}, ["serve;", "rm", "-rf", "$HOME", TOLD, "-v"], True),
    ({"appl_id": "$(id) `id` > x | y"}, ["$(id)", "`id`", ">", "x", "|", "y", TOLD, "-v"], True),
    ({"appl_id": "serve\nnow"}, ["serve", "now", TOLD, "-v"], True),
    ({"appl_id": "serve\0rm"}, ["serve", TOLD, "-v"], True),
    ({"appl_id": "x" * 256}, ["x" * 256, TOLD, "-v"], True),
    ({"env_data": "# no comment"}, ["/bin/serve", TOLD, "#", "no", "comment"], True),
]


@pytest.mark.parametrize(("changes", "words", "waits"), WORDS)
def test_the_words_of_a_command(changes: dict[str, Any], words: list[str | int], waits: bool) -> None:
    assert asked(changes) == (words, waits)


STRANGE = ['"; rm -rf /; "', "$(id)`id`", "a\nb\r\n", "'", "\0\0NUL", "Grüße", "\x1b[2J", "\\"]


@pytest.mark.parametrize("text", STRANGE)
def test_data_travels_in_one_argument_of_732_bytes(text: str) -> None:
    given = replace(TRIGGER, trigger_data=text, user_data=text)
    (_, told, _) = command_of(message(mqxqh.pack_mqtm(given)), "QM1").words
    assert len(told) == TOLD
    assert b"\0" not in told
    read = mqxqh.unpack_characters(told)
    whole = text.partition("\0")[0].rstrip(" ")
    assert (read.trigger_data, read.user_data, read.q_name, read.q_mgr_name) == (whole, whole, "APPQ", "QM1")
    assert (told[:8], told[168:172]) == (b"TMC    2", b"    ")


def test_the_line_for_a_shell_is_that_of_the_product() -> None:
    (line,) = command_of(message(mqxqh.pack_mqtm(replace(TRIGGER, env_data="-v &"))), "QM1", shell=True).words
    assert line.startswith(b'/bin/serve "TMC    2APPQ')
    assert line.endswith(b'" -v &')
    assert len(line) == len('/bin/serve ""') + TOLD + len(" -v &")


GOOD = mqxqh.pack_mqtm(TRIGGER)
# (body, feedback, why)
UNFIT = [
    (b"ten bytes!", 266, "10 bytes instead of 684"),
    (b"", 266, "0 bytes"),
    (GOOD + b"x", 266, "685 bytes"),
    (b"TMX " + GOOD[4:], 266, "StrucId"),
    (GOOD[:4] + (2).to_bytes(4, "little") + GOOD[8:], 266, "Version 2"),
    (mqxqh.pack_mqtm(replace(TRIGGER, appl_type=11)), 267, "ApplType 11"),
    (mqxqh.pack_mqtm(TriggerMessage("XQ", trigger_data="TO.QM2")), 267, "ApplType -1"),
    (mqxqh.pack_mqtm(replace(TRIGGER, appl_id="")), 265, "APPLICID is blank"),
    (mqxqh.pack_mqtm(replace(TRIGGER, appl_id=" \0 ")), 265, "APPLICID is blank"),
    (mqxqh.pack_mqtm(replace(TRIGGER, appl_id="serve 'x")), 265, "APPLICID: no closing quotation"),
    (mqxqh.pack_mqtm(replace(TRIGGER, env_data='"')), 265, "ENVRDATA: no closing quotation"),
]


@pytest.mark.parametrize(("body", "feedback", "why"), UNFIT)
def test_t57_t59_what_starts_nothing(body: bytes, feedback: int, why: str) -> None:
    with pytest.raises(InvalidTriggerMessageError, match=why) as unfit:
        command_of(message(body), "QM1")
    assert unfit.value.feedback == feedback
    assert (unfit.value.trigger is None) is (feedback == 266)


@pytest.mark.parametrize(("encoding", "ccsid"), [(273, 1208), (546, 500), (273, 819)])
def test_a_trigger_message_may_come_in_another_encoding(encoding: int, ccsid: int) -> None:
    command = command_of(message(mqxqh.pack_mqtm(TRIGGER, encoding, ccsid), encoding, ccsid), "QM1")
    assert command.trigger == TRIGGER
    assert command.program == "/bin/serve"
