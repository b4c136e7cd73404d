"""The page on the Python interface, made from the public names of `mqsc`, their signatures and
docstrings.
"""

import inspect
import re
from collections.abc import Iterator
from typing import Any

import mqsc

_QUOTED = re.compile(r"(: |-> )'([^']*)'")
# The first parameter of classes that programs do not make.
_MADE_HERE = frozenset("connector message owner path qmgr session store".split())
_DESCRIPTION = """Everything that `import mqsc` gives, except the families of constants. Examples have `import asyncio`,
`from datetime import timedelta`, a session `qmgr` with the queue ORDERS, and a message `first` that was got from it."""


def api_page() -> Iterator[str]:
    """The lines below the title: a section for each public name, with the methods of a class."""
    yield from (_DESCRIPTION, "")
    for name in dir(mqsc):
        value = getattr(mqsc, name)
        if not callable(value) or (name.startswith("MQ") and not issubclass(value, Exception)):
            continue
        yield from _section("##", name, value)
        for method, defined in vars(value).items() if inspect.isclass(value) else ():
            if method[0] != "_" and (inspect.isfunction(defined) or isinstance(defined, property)):
                yield from _section("###", f"{name}.{method}", defined)


def _section(heading: str, name: str, value: object) -> Iterator[str]:
    """The heading, the signature, and the sentences and example of the docstring."""
    text, example = _parted(inspect.getdoc(value) or "")
    yield from (f"{heading} {name}", "", "```python", _signature(name, value), "```", "", text, "")
    if example:
        yield from ("```pycon", example, "```", "")


def _signature(name: str, value: Any) -> str:
    if isinstance(value, property) or not callable(value):
        return name
    try:
        signature = inspect.signature(value)
    except ValueError:
        return name
    parameters = [
        each for each in signature.parameters.values() if each.name not in ("self", "queue")
    ]
    if inspect.isclass(value) and parameters and parameters[0].name in _MADE_HERE:
        return f"class {name}"
    waits = "await " if inspect.iscoroutinefunction(value) else ""
    return waits + name + _QUOTED.sub(r"\1\2", str(signature.replace(parameters=parameters)))


def _parted(docstring: str) -> tuple[str, str]:
    """The sentences, as Markdown, and the example after them."""
    text, mark, example = docstring.partition("\n>>> ")
    return re.sub(
        r"([<>*_|])(?![^`\n]*`)",
        r"\\\1",
        text.strip(),
    ), f">>> {example}".rstrip() if mark else ""
