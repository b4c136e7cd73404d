"""Random commands in PCF (F40): each has responses that end, none of them about a fault of the command server.

MQSC_PCF_FUZZ is the number of commands, for a longer run.
"""

from __future__ import annotations

import os
import random
from typing import Any

import mqsc
from mqsc.pcf.vocabulary import WITHOUT_COMMAND, vocabulary
from store.catalog.pcf import PcfCommandRow, pcf_commands
from store.headers.pcf import Filter, Integer64, Parameter
from tests.mqsc.pcf.conftest import COMMANDS, Administrator, request

COUNT = int(os.environ.get("MQSC_PCF_FUZZ", "300"))
UNEXPECTED_ERROR = 2195
# The server itself, and the connection of the test.
SPARED = {86, 143}
NAMES = ["Q1", "C", "*", "S*", "REPLIES", "", "x" * 60, "NEW", "A B", "\u00e9\0\n'", "1.2.3.4"]
NUMBERS = [*range(9), -1, -2, -3, 16, 32, 99, 1001, 1009, 1104, 1105, 1111, 1112, 2**31 - 1, -(2**31)]


def known_commands() -> dict[int, tuple[PcfCommandRow, list[int]]]:
    found = {}
    for number in range(1, 222):
        rows = [row for row in pcf_commands(number) if (row.verb, row.noun) not in WITHOUT_COMMAND]
        numbers = {each for row in rows for parameter in row.required for each in parameter}
        for row in rows:
            if row.verb not in ("ESCAPE", "NAMES"):
                numbers |= vocabulary(row).numbers | vocabulary(row).selectable.keys()
        if rows and number not in SPARED:
            found[number] = rows[0], sorted(numbers) or [0]
    return found


def some_value(chance: random.Random, numbers: list[int]) -> Any:
    choices: list[tuple[int, Any]] = [
        (35, lambda: chance.choice(NAMES)),
        (40, lambda: chance.choice(NUMBERS)),
        (7, lambda: chance.choices([1009, 1122, *numbers], k=chance.randrange(4))),
        (5, lambda: chance.choices(NAMES, k=chance.randrange(4))),
        (4, lambda: chance.randbytes(chance.choice((0, 8, 16, 24, 30)))),
        (6, lambda: Filter(chance.choice((0, 1, 2, 4, 10, 18, 21, 26)), chance.choice((0, 1, "Q*", b"x")))),
        (2, lambda: Integer64(chance.choice((1, 1 << 40)))),
        (1, lambda: (Parameter(1, 2),)),
    ]
    (make,) = chance.choices([make for _, make in choices], [weight for weight, _ in choices])
    return make()


def some_parameters(chance: random.Random, command: PcfCommandRow, numbers: list[int]) -> list[Parameter]:
    """The required parameters, most of them valid, and some others."""
    found = []
    for alternatives in command.required:
        number = chance.choice(alternatives)
        valid = chance.choice(NAMES[:5]) if 2000 <= number < 4000 else chance.choice((1, 2, 3, 4, 6, 7, 1001))
        found.append((number, valid if chance.random() < 0.9 else some_value(chance, numbers)))
    found += [(chance.choice(numbers), some_value(chance, numbers)) for _ in range(chance.randrange(4))]
    return [Parameter(number, value, 48 if holds_texts(value) else 0) for number, value in found]


def holds_texts(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(each, str) for each in value)


def check(admin: Administrator, data: bytes) -> None:
    admin.put(data)
    found = admin.responses()
    assert [each.control for each in found] == [0] * (len(found) - 1) + [1], data.hex()
    assert found[0].reason != UNEXPECTED_ERROR, data.hex()


def depth(admin: Administrator) -> int:
    return int(mqsc.run(admin.qmgr, f"DISPLAY QLOCAL({COMMANDS}) CURDEPTH")[0].rows[0]["CURDEPTH"])


def test_f40_random_parameters(admin: Administrator) -> None:
    admin.run("DEFINE QLOCAL(Q1)\nDEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME('h') XMITQ(X)")
    chance, commands = random.Random(COUNT), known_commands()
    for _ in range(COUNT):
        number = chance.choice([*commands])
        check(admin, request(number, *some_parameters(chance, *commands[number])))
    assert depth(admin) == 0


def test_f40_random_bytes(admin: Administrator) -> None:
    chance, commands = random.Random(COUNT), known_commands()
    for index in range(COUNT):
        number = chance.choice([*commands])
        data = bytearray(request(number, *some_parameters(chance, *commands[number])))
        if index % 3 == 0:
            data = bytearray(chance.randbytes(chance.randrange(1, 200)))
        for _ in range(chance.randrange(4)):
            data[chance.randrange(len(data))] = chance.choice((0, 1, 2, 4, 255, chance.randrange(256)))
        check(admin, bytes(data))
    assert depth(admin) == 0
