"""Fields of message data that are masked before the data is kept: JSON paths, XPath and ranges of
bytes.

Masks are texts: `$.card.number` for JSON, `//card/@number` for XML, `10-20` for bytes: counted from
0, both included.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

MASKED = "***"
_RANGE = re.compile(r"(\d+)-(\d*)")
# One step of a JSON path: .name, ..name at any depth, [0], ['name'], and * for all.
_STEP = re.compile(r"(\.\.?)([\w-]+|\*)|\[(\d+|\*|'[^']+'|\"[^\"]+\")\]")
_TYPE_DECLARATIONS = "<!DOCTYPE", "<!ENTITY"


class _Step(NamedTuple):
    """A name, an index or * in a JSON path; `deep`: at any depth."""

    key: str | int
    deep: bool


def checked(masks: Iterable[str]) -> str:
    """The masks as one text, as `masked` takes them; ValueError, with the sentence, for one that
    is not valid.
    """
    every = [*dict.fromkeys(each.strip() for each in masks)]
    for mask in every:
        if mask.startswith("$"):
            _steps(mask)
        elif mask.startswith("/"):
            _check_path(mask)
        elif not _RANGE.fullmatch(mask) or (
            mask[-1] != "-" and int(mask.split("-")[0]) > int(mask.split("-")[1])
        ):
            raise ValueError(
                f"{mask!r} is no mask; use a JSON path ($.card), an XPath (//card) or offsets "
                "(10-20)",
            )
    ranges = [each for each in every if _RANGE.fullmatch(each)]
    if ranges and len(ranges) < len(every):
        raise ValueError(
            f"offsets such as {ranges[0]} cannot be combined with paths, whose data has no fixed "
            "places",
        )
    return "\n".join(every)


def masked(body: bytes, masks: str) -> bytes | None:
    """The data without what the masks name; None if they do not apply to it, so that nothing of it
    may be kept.

    Paths apply to data that is JSON or XML, if there is a path for that. A field that is absent
    needs no mask.
    """
    every = masks.split("\n") if masks else []
    json_paths, xml_paths = ([each for each in every if each[0] == begin] for begin in "$/")
    try:
        if not json_paths and not xml_paths:
            return _without_ranges(body, every)
        if xml_paths and body.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"<":
            return _without_elements(body, xml_paths)
        return _without_members(body, json_paths) if json_paths else None
    except Exception:
        # Whatever is wrong with the data: the call that removes the message goes on, and nothing is
        # kept in the clear.
        return None


def _without_ranges(body: bytes, ranges: Iterable[str]) -> bytes:
    masked_body = bytearray(body)
    for each in ranges:
        first, last = each.split("-")
        end = min(int(last) + 1, len(masked_body)) if last else len(masked_body)
        masked_body[int(first) : end] = b"*" * max(end - int(first), 0)
    return bytes(masked_body)


def _without_members(body: bytes, paths: Iterable[str]) -> bytes:
    """JSON without the members at these paths."""
    found = json.loads(body)
    for path in paths:
        found = _replaced(found, _steps(path))
    return json.dumps(found, ensure_ascii=False).encode()


def _steps(path: str) -> list[_Step]:
    steps, at = [], 1
    while at < len(path):
        step = _STEP.match(path, at)
        if step is None:
            raise ValueError(
                f"{path!r} is no JSON path from {path[at:]!r} on; use .name, ..name, [0], ['name'] "
                "and *",
            )
        dots, name, index = step.groups()
        key = name or (int(index) if index.isdigit() else index.strip("'\""))
        steps.append(_Step(key, dots == ".."))
        at = step.end()
    return steps


def _replaced(value: Any, steps: Sequence[_Step]) -> Any:
    if not steps:
        return MASKED
    (key, deep), rest = steps[0], steps[1:]

    def inner(at: str | int, value: Any) -> Any:
        below = _replaced(value, steps) if deep else value
        return _replaced(below, rest) if key in ("*", at) else below

    if isinstance(value, dict):
        return {name: inner(name, each) for name, each in value.items()}
    return [inner(at, each) for at, each in enumerate(value)] if isinstance(value, list) else value


def _without_elements(body: bytes, paths: Iterable[str]) -> bytes | None:
    from xml.etree import ElementTree  # takes 10 ms to import; few stores mask XML

    text = body.decode("utf-8-sig")
    if any(each in text.upper() for each in _TYPE_DECLARATIONS):
        return None
    document = ElementTree.Element("document")
    # Without a document type there are no entities.
    document.append(ElementTree.fromstring(text))
    for path in paths:
        elements, attribute = _element_path(path)
        for element in document.findall(elements):
            for name in [attribute] if attribute else [*element.attrib]:
                if name in element.attrib:
                    element.set(name, MASKED)
            if not attribute:
                for child in [*element]:
                    element.remove(child)
                element.text = MASKED
    return ElementTree.tostring(document[0], encoding="unicode").encode()


def _element_path(path: str) -> tuple[str, str]:
    """The path of elements below the document as the library takes it, and the name of an
    attribute, or blank.
    """
    elements, _, attribute = (
        path.rpartition("/@") if re.search(r"/@[\w:.{}-]+$", path) else (path, "", "")
    )
    return f".{elements}{'/*' if elements in ('', '/') else ''}", attribute


def _check_path(path: str) -> None:
    from xml.etree import ElementTree

    try:
        ElementTree.Element("document").findall(_element_path(path)[0])
    except Exception as error:
        # The library has no error of its own for a path that it cannot read.
        raise ValueError(
            f"{path!r} is no XPath that is known here; examples: //card, "
            "/order/card[@type='x']/@number",
        ) from error
