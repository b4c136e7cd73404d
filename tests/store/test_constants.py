"""The constants table and the classes built from it."""

from __future__ import annotations

import csv
import enum
import pickle
from pathlib import Path

import pytest

from store import constants

ROWS = [
    ("MQRC", "Q_FULL", 2053),
    ("MQRC", "NO_MSG_AVAILABLE", 2033),
    ("MQRCCF", "LIKE_OBJECT_WRONG_TYPE", 4003),
    ("MQGMO", "SYNCPOINT", 2),
    ("MQOO", "INPUT_SHARED", 2),
    ("MQPMO", "PASS_ALL_CONTEXT", 512),
    ("MQRO", "EXPIRATION_WITH_FULL_DATA", 14680064),
    ("MQFB", "EXPIRATION", 258),
    ("MQEI", "UNLIMITED", -1),
    ("MQFMT", "NONE", ""),
    ("MQFMT", "DEAD_LETTER_HEADER", "MQDEAD"),
    ("MQMI", "NONE", bytes(24)),
    ("MQCI", "NONE", bytes(24)),
    ("MQCI", "NEW_SESSION", b"AMQ!NEW_SESSION_CORRELID"),
    ("MQMD", "STRUC_ID", "MD  "),
    ("MQTMC", "VERSION_2", "   2"),
    ("MQ", "Q_NAME_LENGTH", 48),
    ("MQENC", "NATIVE", 546),
]


@pytest.mark.parametrize(("family", "member", "value"), ROWS)
def test_a_member_has_the_value_of_its_row(family: str, member: str, value: object) -> None:
    assert getattr(getattr(constants, family), member) == value


@pytest.mark.parametrize("family", constants.families())
def test_every_family_builds_and_a_second_look_gives_the_same_class(family: str) -> None:
    assert getattr(constants, family) is getattr(constants, family)


def test_options_keep_bits_that_have_no_name() -> None:
    both = constants.MQGMO.WAIT | constants.MQGMO.SYNCPOINT
    assert (both, type(both)) == (3, constants.MQGMO)
    assert constants.MQGMO(1 << 30 | 1) == 1 << 30 | 1


@pytest.mark.parametrize(
    ("family", "number", "name"),
    [("MQGMO", 1, "WAIT"), ("MQGMO", 4, "NO_SYNCPOINT"), ("MQGMO", 0, "NONE"), ("MQPMO", 2, "SYNCPOINT"),
     ("MQPMO", 128, "NEW_CORREL_ID"), ("MQRO", 0, "NONE"), ("MQAT", 6, "UNIX"), ("MQAT", 2, "ZOS")],
)  # fmt: skip
def test_the_main_name_is_never_a_structure_version_or_a_second_name(family: str, number: int, name: str) -> None:
    assert getattr(constants, family)(number).name == name
    assert constants.name_of(family, number) == f"{family}_{name}"


@pytest.mark.parametrize(
    ("family", "number", "name"),
    [("MQRC", 2053, "MQRC_Q_FULL"), ("MQRC", 1, "1"), ("MQFB", 258, "MQFB_EXPIRATION"), ("NOSUCH", 5, "5"),
     ("MQAT", -1, "MQAT_UNKNOWN"), ("MQPER", 0, "MQPER_NOT_PERSISTENT")],
)  # fmt: skip
def test_name_of(family: str, number: int, name: str) -> None:
    assert constants.name_of(family, number) == name


def test_value_of_reaches_every_number_by_its_full_name() -> None:
    assert constants.value_of("MQRC_Q_FULL") == 2053
    assert constants.value_of("MQGMO_VERSION_1") == 1
    assert constants.value_of("MQFB_APPL_FIRST") == 65536
    with pytest.raises(KeyError):
        constants.value_of("MQRC_NO_SUCH_REASON")
    with pytest.raises(KeyError):
        constants.value_of("MQFMT_STRING")


def test_a_class_that_is_no_family_does_not_exist() -> None:
    with pytest.raises(AttributeError, match="MQNOSUCH"):
        _ = constants.MQNOSUCH


def test_members_travel_between_processes() -> None:
    assert pickle.loads(pickle.dumps(constants.MQRC.Q_FULL)) is constants.MQRC.Q_FULL


def test_masks_are_bits_not_negative_numbers() -> None:
    unsupported = constants.MQRO.ACCEPT_UNSUP_MASK | constants.MQRO.REJECT_UNSUP_MASK
    assert unsupported & 0x1000_0000 == 0x1000_0000
    assert isinstance(constants.MQRO.ACCEPT_UNSUP_MASK, enum.IntFlag)


def test_every_row_of_the_table_is_named_after_its_family_and_is_there_once() -> None:
    source = Path(constants.__file__).with_name("constants.csv")
    with source.open(encoding="ascii", newline="") as lines:
        rows = [(row["family"], row["name"]) for row in csv.DictReader(lines)]
    assert all(name.startswith(family) and name[len(family) :].isidentifier() for family, name in rows)
    assert len({name for _, name in rows}) == len(rows)
