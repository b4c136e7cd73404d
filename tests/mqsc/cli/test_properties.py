"""Properties and selectors of `mqsc put`, `get`, `browse` and `consume`."""

from __future__ import annotations

import json

import pytest

from tests.mqsc.conftest import Command

pytestmark = pytest.mark.usefixtures("queues")
TYPED = ["color=red", "size:int32=5", "b:boolean=TRUE", "raw:bytes=0afc", "n:null", "f:float64=inf", "eq=a=b", "g.x=1"]
AS_JSON = {
    **{"color": "red", "size": {"int32": 5}, "b": True, "raw": {"bytes": "0AFC"}, "n": None, "f": {"float64": "inf"}},
    **{"eq": "a=b", "g.x": "1"},
}


def put(mqsc: Command, text: str, *properties: str) -> None:
    mqsc("put", "A", text, *(word for each in properties for word in ("--property", each)))


def test_properties_are_shown_below_the_descriptor(mqsc: Command) -> None:
    put(mqsc, "hello", *TYPED, "esc=\x1b[2J")
    lines = mqsc("browse", "A").lines
    at = lines.index("   properties:")
    assert lines[at + 1 : at + 6] == [
        "      color            red",
        "      size             5  int32",
        "      b                true  boolean",
        "      raw              0AFC  bytes",
        "      n                  null",
    ]
    assert "      esc              \\x1b[2J" in lines
    assert lines[-3:] == ["   body, 5 bytes:", "hello", ""]


def test_json_is_read_as_it_was_written(mqsc: Command) -> None:
    put(mqsc, "hello", *TYPED)
    put(mqsc, "plain")
    written = mqsc("get", "A", "--all", "--format", "jsonl").out
    assert [json.loads(each).get("properties") for each in written.splitlines()] == [AS_JSON, None]
    echoed = mqsc("put", "A", "-", "--json", "--format", "jsonl", stdin=written.encode()).out
    assert [json.loads(each).get("properties") for each in echoed.splitlines()] == [AS_JSON, None]
    assert mqsc("browse", "A", "--format", "jsonl").out == echoed


def test_options_add_to_properties_in_json(mqsc: Command) -> None:
    lines = '{"properties": {"a": "own"}}\n{}\n{"properties": {"b": false}}\n'
    mqsc("put", "A", "-", "--json", "--property", "a=all", stdin=lines.encode())
    shown = mqsc("browse", "A", "--format", "jsonl").out.splitlines()
    assert [json.loads(each)["properties"] for each in shown] == [{"a": "own"}, {"a": "all"}, {"a": "all", "b": False}]


def test_selectors(mqsc: Command) -> None:
    put(mqsc, "one", "size:int32=1")
    put(mqsc, "two", "size:int32=2", "color=red")
    put(mqsc, "three")
    assert mqsc("browse", "A", "--selector", "size >= 1").out.count("body, 3 bytes") == 2
    assert mqsc("get", "A", "--selector", "color = 'red'").out == "two\n"
    assert mqsc("get", "A", "--selector", "color = 'red'").err == "mqsc: no matching message on A\n"
    consumed = mqsc("consume", "A", "--selector", "size = 1", "--", "sh", "-c", 'cat; echo " $MQSC_PROPERTIES"')
    assert consumed.code == 0
    assert mqsc("get", "A", "--all").out == "three\n"


def test_an_applications_header_stays_in_the_data(mqsc: Command) -> None:
    put(mqsc, "x", "color=red")
    described = json.loads(mqsc("browse", "A", "--format", "jsonl").out)
    assert (described["format"], described["body"]) == ("MQSTR", {"text": "x"})


WRONG = [
    (["put", "A", "x", "--property", "a b=1"], "property 'a b': no property can have this name (2442)"),
    (["put", "A", "x", "--property", "size:int32=x"], "'x' is not a value of type int32"),
    (["put", "A", "x", "--property", "size:int3=1"], "'int3' is not a type of property; use one of string"),
    (["put", "A", "x", "--property", "size"], "'size' is not a property; use NAME=VALUE"),
    (["put", "A", "x", "--property", "size:int8=300"], "300 is out of range for a property of type INT8"),
    (["get", "A", "--selector", "color ="], "--selector: a value expected, not the end, at character 8"),
    (["browse", "A", "--selector", "1=2"], "--selector: no message can be selected, at character 1"),
    (["consume", "A", "--selector", "#", "--", "cat"], "--selector: unexpected '#', at character 1"),
]


@pytest.mark.parametrize(("words", "text"), WRONG)
def test_mistakes_are_explained(mqsc: Command, words: list[str], text: str) -> None:
    refused = mqsc(*words)
    assert (refused.code, text in refused.err) == (20, True), refused.err


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ('{"a": [1]}', "property 'a' must be a text, true, false, null or an object"),
        ('{"a": {"int8": 300}}', "300 is out of range"),
        ('{"a": {"int8": "x"}}', "'x' is not a value of type int8"),
        ('{"a b": "x"}', "no property can have this name"),
        ("[]", "properties must be an object"),
    ],
)
def test_mistakes_in_json_are_explained(mqsc: Command, given: str, text: str) -> None:
    refused = mqsc("put", "A", "-", "--json", stdin=f'{{"properties": {given}}}\n'.encode())
    assert (refused.code, text in refused.err) == (10, True), refused.err
    assert refused.err.startswith("mqsc: standard input, line 1: ")
