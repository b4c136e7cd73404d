"""The classes of named numbers and texts, compared with the definitions that IBM's own client
brings.
"""

from __future__ import annotations

import enum
import pickle
import re
import runpy
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import mqsc
from mqsc.store import constants
from tests.source import ROOT

OPTIONS = ("MQGMO", "MQPMO", "MQOO", "MQRO", "MQMO", "MQCO", "MQMF", "MQSO", "MQSRO")
# Constants that IBM's client does not define: data conversion exits, bags, cluster workload
# records.
NOT_IN_CLIENT = ("MQDCC_", "MQIT_", "MQFIELD_WQR_")
# The native platform of the client is UNIX, ours is that of the published list.
DIFFERENT = {"MQPL_NATIVE": (11, 3)}


@cache
def ibm_definitions() -> Mapping[str, Any]:
    """The constants that the package ibmmq defines, by full name. Its modules are files of
    assignments.
    """
    found = find_spec("ibmmq")
    if found is None or found.origin is None:
        pytest.skip("the package ibmmq is not installed")
    folder = Path(found.origin).parent
    # It has a variant of the first for each platform.
    return {
        name: value
        for file in ("_CMQC_linux_x64", "CMQCFC", "CMQXC", "CMQSTRC")
        for name, value in runpy.run_path(str(folder / f"{file}.py")).items()
        if name.startswith("MQ")
    }


def full_name(family: str, name: str) -> str:
    return f"{family}_{name.removeprefix('_') if name[1:2].isdigit() else name}"


def declared() -> dict[tuple[str, str], Any]:
    return {
        (family, name): value
        for family in constants.families()
        for name, value in members(family).items()
    }


def members(family: str) -> Mapping[str, Any]:
    return {
        name: value
        for name, value in vars(named(family)).items()
        if name[0] != "_" or name[1].isdigit()
    } | dict(
        getattr(named(family), "__members__", {}),
    )


def named(family: str) -> Any:
    return getattr(constants, family)


def same(value: Any, ibm: Any) -> bool:
    """Whether a constant has IBM's value: bytes for texts, padded; the code of a character;
    masks without sign.
    """
    if isinstance(value, str):
        text = chr(ibm) if isinstance(ibm, int) else ibm.decode("ascii")
        return text == value.ljust(len(text))
    return bool(value == ibm) or (isinstance(value, int) and value & 0xFFFF_FFFF == ibm)


def test_the_constants_are_those_of_ibm() -> None:
    ibm = ibm_definitions()
    found = {full_name(family, name): value for (family, name), value in declared().items()}
    pairs = {name: (found[name], ibm[name]) for name in found.keys() & ibm.keys()}
    assert {name: pair for name, pair in pairs.items() if not same(*pair)} == DIFFERENT
    assert [name for name in found.keys() - ibm.keys() if not name.startswith(NOT_IN_CLIENT)] == []
    assert len(pairs) == 4286


def test_no_reason_code_attribute_or_option_is_missing() -> None:
    families = (
        "MQRC_",
        "MQRCCF_",
        "MQFB_",
        "MQIA_",
        "MQCA_",
        "MQCMD_",
        "MQGMO_",
        "MQPMO_",
        "MQOO_",
    )
    # Not constants, and one whose value is another in each version.
    others = ("_ARRAY", "_DICT", "MQIA_LAST_USED")
    ibm = {
        name
        for name in ibm_definitions()
        if name.startswith(families) and not name.endswith(others)
    }
    assert ibm - {full_name(family, name) for family, name in declared()} == set()


def kind_of(family: str) -> type:
    """Return the base class of a family, by the rules in the package's docstring."""
    if family in OPTIONS:
        return enum.IntFlag
    plain = family in ("MQ", "MQENC") or not all(
        isinstance(value, int) for value in members(family).values()
    )
    return object if plain else enum.IntEnum


def test_every_family_is_of_its_kind() -> None:
    wrong = [
        family for family in constants.families() if named(family).__base__ is not kind_of(family)
    ]
    assert wrong == []


def test_options_keep_bits_that_have_no_name() -> None:
    both = constants.MQGMO.WAIT | constants.MQGMO.SYNCPOINT
    assert (both, type(both)) == (3, constants.MQGMO)
    unnamed = {family: int(named(family)(1 << 30 | 1)) for family in OPTIONS}
    assert unnamed == dict.fromkeys(OPTIONS, 1 << 30 | 1)


@pytest.mark.parametrize(
    ("family", "number", "name"),
    [
        ("MQGMO", 1, "WAIT"),
        ("MQGMO", 4, "NO_SYNCPOINT"),
        ("MQGMO", 0, "NONE"),
        ("MQPMO", 2, "SYNCPOINT"),
        ("MQPMO", 128, "NEW_CORREL_ID"),
        ("MQPMO", 2097152, "RETAIN"),
        ("MQRO", 0, "NONE"),
        ("MQCO", 0, "NONE"),
        ("MQAT", 6, "UNIX"),
        ("MQAT", 2, "ZOS"),
        ("MQRC", 2192, "STORAGE_MEDIUM_FULL"),
        ("MQCA", 2002, "BASE_Q_NAME"),
        ("MQMON", 0, "OFF"),
        ("MQPL", 3, "UNIX"),
        ("MQIACH", 1501, "XMIT_PROTOCOL_TYPE"),
    ],
)
def test_the_main_name_is_never_a_structure_version_or_a_second_name(
    family: str,
    number: int,
    name: str,
) -> None:
    assert named(family)(number).name == name
    assert constants.name_of(family, number) == f"{family}_{name}"


def test_name_of() -> None:
    named = {"MQRC_Q_FULL": 2053, "MQFB_EXPIRATION": 258, "MQAT_UNKNOWN": -1, "MQENC_NATIVE": 546}
    for name, number in (*named.items(), ("MQPER_NOT_PERSISTENT", 0)):
        assert constants.name_of(name.partition("_")[0], number) == name
    unnamed = {"MQRC": 1, "NOSUCH": 5, "MQGMO": 3, "MQFMT": 0}
    assert [constants.name_of(family, number) for family, number in unnamed.items()] == [
        "1",
        "5",
        "3",
        "0",
    ]


def test_value_of_reaches_every_number_by_its_full_name() -> None:
    wrong = [
        f"{family}_{name}"
        for (family, name), value in declared().items()
        if isinstance(value, int) and constants.value_of(f"{family}_{name}") != value
    ]
    assert wrong == []
    assert constants.value_of("MQGMO_VERSION_1") == 1


def test_value_of_refuses_other_names() -> None:
    for name in ("MQRC_NO_SUCH_REASON", "MQFMT_STRING", "MQNOSUCH_A", "MQRC", "MQRC_name", ""):
        with pytest.raises(KeyError):
            constants.value_of(name)
    with pytest.raises(AttributeError, match="MQNOSUCH"):
        getattr(constants, "MQNOSUCH")  # noqa: B009


def test_a_structure_version_is_no_option() -> None:
    assert "VERSION_1" not in constants.MQGMO.__members__
    assert constants.MQGMO.STRUC_ID == "GMO "


def test_families_are_in_order_and_dir_lists_them() -> None:
    assert sorted(constants.families()) == list(constants.families())
    assert set(constants.families()) <= set(dir(mqsc.constants))
    assert len(declared()) == 4322


def test_threads_that_need_a_family_first_get_the_same_class() -> None:
    program = """if True:
        import sys, threading
        from mqsc.store import constants
        sys.setswitchinterval(1e-6)
        start = threading.Barrier(8)
        found = []
        def load():
            start.wait()
            found.append(constants.MQRC)
        threads = [threading.Thread(target=load) for _ in range(8)]
        for each in threads: each.start()
        for each in threads: each.join()
        print(len({id(each) for each in found}))
    """
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "1\n"


def test_members_travel_between_processes_and_masks_are_bits_not_negative_numbers() -> None:
    assert pickle.loads(pickle.dumps(constants.MQRC.Q_FULL)) is constants.MQRC.Q_FULL
    unsupported = constants.MQRO.ACCEPT_UNSUP_MASK | constants.MQRO.REJECT_UNSUP_MASK
    assert unsupported & 0x1000_0000 == 0x1000_0000


def test_type_checkers_know_every_family() -> None:
    text = (ROOT / "store/constants/__init__.py").read_text("utf-8")
    listed = re.findall(
        r"^    from mqsc\.store\.constants\.(\w+) import (\w+) as (\w+)$", text, re.MULTILINE
    )
    assert listed == [(name.lower(), name, name) for name in constants.families()]
