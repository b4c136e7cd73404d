"""The classes of named numbers and texts, compared with the specification."""

from __future__ import annotations

import ast
import csv
import enum
import inspect
import pickle
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import store.constants
from store import constants
from tests.source import ROOT

OPTIONS = ("MQGMO", "MQPMO", "MQOO", "MQRO", "MQMO", "MQCO", "MQMF")
# Blank identifiers: zero bytes in the length of the field. The specification has no rows for them.
ZEROS = {("MQMI", "NONE"): bytes(24), ("MQGI", "NONE"): bytes(24), ("MQMTOK", "NONE"): bytes(16)}


def specified() -> dict[tuple[str, str], int | str | bytes]:
    """Return the rows of the specification by family and member, and ZEROS."""
    with (ROOT / "docs" / "specification" / "constants.csv").open(encoding="ascii", newline="") as lines:
        rows = [(row["family"], row["name"], row["value"]) for row in csv.DictReader(lines)]
    return {(prefix[:-1], member_name(name[len(prefix) :])): value_in(text) for prefix, name, text in rows} | ZEROS


def member_name(name: str) -> str:
    return name if name.isidentifier() else f"_{name}"


def value_in(text: str) -> int | str | bytes:
    if text.startswith("x:"):
        return bytes.fromhex(text[2:])
    return int(text) if text.removeprefix("-").isdigit() and text == text.strip() else text


def declared() -> dict[tuple[str, str], Any]:
    return {(family, name): value for family in constants.families() for name, value in members(family).items()}


def members(family: str) -> Mapping[str, Any]:
    return {name: value for name, value in vars(named(family)).items() if name[0] != "_" or name[1].isdigit()} | dict(
        getattr(named(family), "__members__", {})
    )


def named(family: str) -> Any:
    return getattr(constants, family)


def same(value: Any, specified: int | str | bytes) -> bool:
    """Return whether a constant has the value of its row. Flags with bit 31 are negative in the specification."""
    if isinstance(value, bytes) and isinstance(specified, str):
        return value == specified.encode("ascii")
    if isinstance(value, enum.IntFlag) and isinstance(specified, int):
        return value == specified & 0xFFFF_FFFF
    return bool(value == specified) and isinstance(value, int) == isinstance(specified, int)


def test_the_constants_are_those_of_the_specification() -> None:
    wanted, found = specified(), declared()
    missing = [f"{family}_{name}" for family, name in wanted.keys() - found.keys()]
    invented = [f"{family}_{name}" for family, name in found.keys() - wanted.keys()]
    different = [
        f"{family}_{name} = {found[family, name]!r}, specified {wanted[family, name]!r}"
        for family, name in wanted.keys() & found.keys()
        if not same(found[family, name], wanted[family, name])
    ]
    assert (sorted(missing), sorted(invented), sorted(different)) == ([], [], [])


def test_every_class_is_listed_with_its_module() -> None:
    modules = sorted(Path(constants.__file__).parent.glob("[!_]*.py"))
    classes = {
        f"store.constants.{path.stem}.{name}"
        for path in modules
        for name, _ in inspect.getmembers(import_module(f"store.constants.{path.stem}"), inspect.isclass)
        if name.startswith("MQ")
    }
    assert classes == {f"{named(family).__module__}.{family}" for family in constants.families()}
    imported = {
        node.module
        for node in ast.walk(ast.parse(inspect.getsource(constants)))
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("store.constants.")
    }
    assert imported == {f"store.constants.{path.stem}" for path in modules}


def kind_of(family: str) -> type:
    """Return the base class of a family, by the rules in the package's docstring."""
    if family in OPTIONS:
        return enum.IntFlag
    plain = family in ("MQ", "MQENC") or not all(isinstance(value, int) for value in members(family).values())
    return object if plain else enum.IntEnum


def test_every_family_is_of_its_kind() -> None:
    wrong = [family for family in constants.families() if named(family).__base__ is not kind_of(family)]
    assert wrong == []


def test_options_keep_bits_that_have_no_name() -> None:
    both = constants.MQGMO.WAIT | constants.MQGMO.SYNCPOINT
    assert (both, type(both)) == (3, constants.MQGMO)
    unnamed = {family: int(named(family)(1 << 30 | 1)) for family in OPTIONS}
    assert unnamed == dict.fromkeys(OPTIONS, 1 << 30 | 1)


@pytest.mark.parametrize(
    ("family", "number", "name"),
    [("MQGMO", 1, "WAIT"), ("MQGMO", 4, "NO_SYNCPOINT"), ("MQGMO", 0, "NONE"), ("MQPMO", 2, "SYNCPOINT"),
     ("MQPMO", 128, "NEW_CORREL_ID"), ("MQPMO", 2097152, "RETAIN"), ("MQRO", 0, "NONE"), ("MQCO", 0, "NONE"),
     ("MQAT", 6, "UNIX"), ("MQAT", 2, "ZOS"), ("MQRC", 2192, "STORAGE_MEDIUM_FULL"), ("MQCA", 2002, "BASE_Q_NAME"),
     ("MQMON", 0, "OFF"), ("MQPL", 3, "UNIX"), ("MQIACH", 1501, "XMIT_PROTOCOL_TYPE")],
)  # fmt: skip
def test_the_main_name_is_never_a_structure_version_or_a_second_name(family: str, number: int, name: str) -> None:
    assert named(family)(number).name == name
    assert constants.name_of(family, number) == f"{family}_{name}"


@pytest.mark.parametrize(
    ("family", "number", "name"),
    [("MQRC", 2053, "MQRC_Q_FULL"), ("MQRC", 1, "1"), ("MQFB", 258, "MQFB_EXPIRATION"), ("NOSUCH", 5, "5"),
     ("MQAT", -1, "MQAT_UNKNOWN"), ("MQPER", 0, "MQPER_NOT_PERSISTENT"), ("MQENC", 546, "MQENC_NATIVE"),
     ("MQGMO", 3, "3"), ("MQFMT", 0, "0")],
)  # fmt: skip
def test_name_of(family: str, number: int, name: str) -> None:
    assert constants.name_of(family, number) == name


def test_value_of_reaches_every_number_by_its_full_name() -> None:
    wrong = [
        f"{family}_{name}"
        for (family, name), value in declared().items()
        if isinstance(value, int) and constants.value_of(f"{family}_{name}") != value
    ]
    assert wrong == []
    assert constants.value_of("MQGMO_VERSION_1") == 1


@pytest.mark.parametrize("name", ["MQRC_NO_SUCH_REASON", "MQFMT_STRING", "MQNOSUCH_A", "MQRC", "MQRC_name", ""])
def test_value_of_refuses_other_names(name: str) -> None:
    with pytest.raises(KeyError):
        constants.value_of(name)


def test_a_structure_version_is_no_option() -> None:
    assert "VERSION_1" not in constants.MQGMO.__members__
    assert constants.MQGMO.STRUC_ID == "GMO "


def test_a_class_that_is_no_family_does_not_exist() -> None:
    with pytest.raises(AttributeError, match="MQNOSUCH"):
        getattr(constants, "MQNOSUCH")  # noqa: B009


def test_dir_lists_every_family() -> None:
    assert set(constants.families()) <= set(dir(store.constants))


def test_members_travel_between_processes() -> None:
    assert pickle.loads(pickle.dumps(constants.MQRC.Q_FULL)) is constants.MQRC.Q_FULL


def test_masks_are_bits_not_negative_numbers() -> None:
    unsupported = constants.MQRO.ACCEPT_UNSUP_MASK | constants.MQRO.REJECT_UNSUP_MASK
    assert unsupported & 0x1000_0000 == 0x1000_0000
