"""`mqsc trigger explain`."""

from __future__ import annotations

import json

import pytest

from tests.mqsc.conftest import Command


def test_an_explanation(shop: Command) -> None:
    ended = shop("trigger", "explain", "FRONT", "--if", "put priority 5 persistent")
    assert (ended.code, ended.err) == (0, "")
    assert ended.lines[1] == "FRONT is an alias of APPQ"
    assert "✗  8  a monitor has the initiation queue open             IPPROCS(0) on INIT1" in ended.lines
    assert "If put priority 5 persistent:" in ended.lines


@pytest.mark.parametrize("format", ["json", "jsonl"])
def test_an_explanation_as_data(shop: Command, format: str) -> None:
    ended = shop("trigger", "explain", "APPQ", "--format", format)
    found = json.loads(ended.out)
    (row,) = found if format == "json" else [found]
    assert (row["queue"], row["would_trigger"], row["if"]) == ("APPQ", False, None)
    assert [each["number"] for each in row["conditions"] if not each["met"]] == [8, 11, 12, 13]
    assert (row["uncommitted"], row["only_waits_for_commit"], row["put_reason"]) == ([], False, 0)


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("explain", "NOQ"), 10, "mqsc: AMQ8147E: IBM MQ object NOQ not found."),
        (("explain", "SYSTEM.DEFAULT.MODEL.QUEUE"), 10, "2057"),
        (("explain", "APPQ", "--if", "get"), 20, "--if expects a put, for example: put priority 5 persistent"),
        (("explain",), 20, "Missing argument 'QUEUE'"),
        (("explain", "-m", "QM9", "APPQ"), 10, "AMQ8118E"),
    ],
)
def test_refusals(shop: Command, arguments: tuple[str, ...], code: int, says: str) -> None:
    ended = shop("trigger", *arguments)
    assert (ended.code, ended.out) == (code, "")
    assert says in ended.err
