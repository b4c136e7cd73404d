"""Lint rules on words of one platform, beyond their own examples."""

from __future__ import annotations

from mqsc.lint.script_check import check_script
from tests.mqsc.lint.violations import Case, wrong


def test_words_of_one_platform() -> None:
    cases: list[Case] = [
        (["ALTER QMGR EXPRYINT(60)"], [("C22", 1)]),
        (["REFRESH QMGR TYPE(EXPIRY)"], [("C22", 1)]),
        (["DEFINE QLOCAL(A) CMDSCOPE(' ')"], [("C22", 1)]),
        (["DEFINE STGCLASS(S) PSID(4)", "DEFINE QLOCAL(A) STGCLASS(S)", "DISPLAY CFSTRUCT(*)"], [("C22", 1)]),
        (["DEFINE QLOCAL(A) REPLACE", "DEFINE STGCLASS(S) REPLACE", "DEFINE CFSTRUCT(C) REPLACE"], [("C22", 2)]),
        (["DEFINE QLOCAL(A) DISTL(YES)"], []),
        (["REBUILD SECURITY(*)"], [("C22", 1)]),
        (["DEFINE NOREPLACE +", "QLOCAL(A) +", "DESCR('a')"], [("C22", 1)]),
        (["SET LOG MAXARCH(100)"], [("C22", 1), ("MQSC0003E", 1)]),
        (["SET LOG ARCHIVED('S0000001.LOG')"], [("MQSC0003E", 1)]),
    ]
    assert wrong(cases) == []


def test_a_value_of_one_platform_is_named_with_its_keyword() -> None:
    (found,) = check_script(["REFRESH QMGR TYPE(EXPIRY) NAME('A*')"])
    assert found.message == "only z/OS supports TYPE(EXPIRY); on other platforms it is a syntax error"


def test_further_words_in_the_file_are_counted() -> None:
    found, *_ = check_script(["DEFINE CFSTRUCT(C)\nDEFINE STGCLASS(S)\n"])
    assert found.message == "only z/OS supports CFSTRUCT (1 more in this file); on other platforms it is a syntax error"


def test_a_parameter_before_the_object_is_named_with_its_place() -> None:
    (found,) = check_script(["DEFINE NOREPLACE QLOCAL(A)"])
    assert found.message == "only z/OS supports NOREPLACE before the object; on other platforms it is a syntax error"
