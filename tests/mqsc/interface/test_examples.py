"""The examples in the docstrings of the public names: each has one, and it runs."""

from __future__ import annotations

import asyncio
import doctest
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest

import mqsc
from tests.test_house_style import public_methods


def documented() -> Iterator[tuple[str, object]]:
    """Everything public but constants, with its methods."""
    for name in dir(mqsc):
        value = getattr(mqsc, name)
        if callable(value) and not re.match("MQ[A-Z]+$", name):
            yield name, value
            yield from public_methods(name, value)


DOCUMENTED = dict(documented())
OPEN = mqsc.MQOO.INPUT_SHARED | mqsc.MQOO.OUTPUT | mqsc.MQOO.INQUIRE | mqsc.MQOO.SET


@contextmanager
def serving(queue: str, function: Callable[[mqsc.ReceivedMessage], object]) -> Iterator[None]:
    """Answer one request in a thread."""

    def serve() -> None:
        with mqsc.connect("shop.db") as qmgr:
            qmgr.queue(queue).serve(function, limit=1)

    thread = threading.Thread(target=serve)
    thread.start()
    yield
    thread.join()


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, object]]:
    """The names that the examples use, in a folder with a store."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("shop"))
        with mqsc.connect("shop.db", create=True) as qmgr:
            qmgr.run("DEFINE QLOCAL(ORDERS)")
            qmgr.queue("ORDERS").put(
                "one espresso machine",
                priority=5,
                expiry=timedelta(minutes=1),
                color="red",
            )
            red = mqsc.MessageHandle(None)
            red.set("color", "red")
            opened = qmgr.connection.open("ORDERS", OPEN)
            yield {
                **{
                    "store": qmgr.manager.store,
                    "manager": qmgr.manager,
                    "connection": qmgr.connection,
                },
                **{"handle": opened, "red": red},
                **{
                    "mqsc": mqsc,
                    "qmgr": qmgr,
                    "first": qmgr.queue("ORDERS").get(),
                    "serving": serving,
                },
                **{"asyncio": asyncio, "timedelta": timedelta},
            }


@pytest.mark.parametrize("name", DOCUMENTED)
def test_the_example_of_a_docstring(name: str, shop: dict[str, object]) -> None:
    (example,) = doctest.DocTestFinder(recurse=False).find(
        DOCUMENTED[name],
        name,
        module=False,
        globs=shop,
    )
    assert example.examples
    for _ in shop["qmgr"].queue("ORDERS").messages(wait=timedelta(0)):  # type: ignore[attr-defined]
        """Left by another example."""
    lines: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example, out=lines.append)
    assert lines == []
