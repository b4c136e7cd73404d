"""Masks of message data: what they name is masked, and data to which they do not apply is not
kept at all.
"""

from __future__ import annotations

import pytest

from mqsc.store.rules.masking import checked, masked

ORDER = b'{"card":{"number":"4111","cvv":1},"items":[{"price":1,"n":"x"},{"price":2}],"deep":{"card":7}}'
XML = b'<?xml version="1.0"?><order id="1"><card n="4"><num>41</num>t</card>rest<a/></order>'

OF_JSON = [
    ("$.card.number", b'{"card": {"number": "***", "cvv": 1}, '),
    ("$['card']", b'{"card": "***", "items": ['),
    ("$..card", b'"deep": {"card": "***"}}'),
    ("$..card", b'{"card": "***", '),
    ("$.items[*].price", b'[{"price": "***", "n": "x"}, {"price": "***"}]'),
    ("$.items[1]", b'[{"price": 1, "n": "x"}, "***"]'),
    ("$.*", b'{"card": "***", "items": "***", "deep": "***"}'),
    ("$", b'"***"'),
    ("$.absent", b'"number": "4111"'),
]
OF_XML = [
    ("//card", b'<order id="1"><card n="***">***</card>rest<a /></order>'),
    ("/order/card/num", b'<order id="1"><card n="4"><num>***</num>t</card>rest<a /></order>'),
    ("//card[@n='4']/@n", b'<order id="1"><card n="***"><num>41</num>t</card>rest<a /></order>'),
    ("//@id", b'<order id="***"><card n="4"><num>41</num>t</card>rest<a /></order>'),
    ("/order", b'<order id="***">***</order>'),
]
OF_BYTES = [
    ("0-3", b"****45678"),
    ("7-", b"0123456**"),
    ("8-100", b"01234567*"),
    ("20-30", b"012345678"),
    ("0-", b"*" * 9),
]
WITHOUT_ANY = [
    ("$.a", b"not json"),
    ("$.a", b""),
    ("$.a", b"\xff\xfe\x00"),
    ("$.a", b"[" * 100_000),
    ("$.a", XML),
    ("//a", ORDER),
    ("//a", b"<a>"),
    ("//a", b"<a>" * 100_000),
    ("//a", XML.decode().encode("utf-16")),
    ("//a", b"<a>\xe4</a>"),
    ("//a", b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'),
    ("//a", b'<!doctype a SYSTEM "file:///etc/passwd"><a/>'),
]
NOT_VALID = [
    "",
    "card",
    "$card",
    "$.",
    "$..",
    "$.a[",
    "$.a[x]",
    "//[",
    "/a[",
    "20-10",
    "-5",
    "1-2-3",
]


@pytest.mark.parametrize(("mask", "part"), OF_JSON)
def test_a_path_masks_members_of_json(mask: str, part: bytes) -> None:
    assert part in (masked(ORDER, checked([mask])) or b"")


@pytest.mark.parametrize(("mask", "wanted"), OF_XML)
def test_a_path_masks_elements_and_attributes_of_xml(mask: str, wanted: bytes) -> None:
    assert masked(XML, checked([mask])) == wanted


@pytest.mark.parametrize(("mask", "wanted"), OF_BYTES)
def test_offsets_mask_bytes(mask: str, wanted: bytes) -> None:
    assert masked(b"012345678", checked([mask])) == wanted


@pytest.mark.parametrize(("mask", "data"), WITHOUT_ANY)
def test_nothing_is_kept_of_data_to_which_the_masks_do_not_apply(mask: str, data: bytes) -> None:
    assert masked(data, checked([mask])) is None


def test_of_several_masks_those_for_the_format_apply() -> None:
    masks = checked(["$.card", "$.deep", "//num"])
    assert (
        masked(ORDER, masks)
        == b'{"card": "***", "items": [{"price": 1, "n": "x"}, {"price": 2}], "deep": "***"}'
    )
    assert b"<num>***</num>" in (masked(XML, masks) or b"")
    assert masked(b"text", masks) is None


@pytest.mark.parametrize("mask", NOT_VALID)
def test_a_mask_that_is_not_valid_is_refused(mask: str) -> None:
    with pytest.raises(ValueError, match=r"no mask|no JSON path|no XPath"):
        checked([mask])


def test_offsets_and_paths_are_not_combined() -> None:
    with pytest.raises(ValueError, match="offsets such as 1-2 cannot be combined"):
        checked(["$.a", "1-2"])
