"""What DISPLAY shows, an inquiry returns, and at what cost; what it returns, commands accept;
random commands (F40).
"""

from __future__ import annotations

import csv
import os
import random
import re
import time
from typing import Any

import pytest

import mqsc
from mqsc.pcf.vocabulary import OF_ENTITIES, WITHOUT_COMMAND, CommandVocabulary, vocabulary
from mqsc.store.admin.peeking import peek
from mqsc.store.catalog.pcf import PcfCommandRow, pcf_attributes, pcf_commands
from mqsc.store.constants import MQBACF, MQCACF, MQIACF
from mqsc.store.headers import pcf
from mqsc.store.headers.pcf import Filter, Integer64, Parameter
from tests.mqsc.pcf.conftest import COMMANDS, Administrator, request
from tests.mqsc.test_bad_input import run_lines
from tests.source import ROOT

# The definition, the MQCMD to create and to inquire, and the words of DISPLAY that a definition
# does not take.
OBJECTS = {
    "QLOCAL(A) MAXDEPTH(7) TRIGGER TRIGTYPE(DEPTH) PUT(DISABLED) DESCR('x y') STRMQOS(MUSTDUP) "
    "NOSHARE": (
        11,
        13,
    ),
    "QALIAS(A) TARGET(B) TARGTYPE(TOPIC) DEFPSIST(YES) CAPEXPRY(77)": (11, 13),
    "QREMOTE(A) RNAME(B) RQMNAME(QM2) XMITQ(X)": (11, 13),
    "QMODEL(A) DEFTYPE(PERMDYN) MSGDLVSQ(FIFO) MAXFSIZE(20)": (11, 13),
    "PROCESS(A) APPLTYPE(UNIX) APPLICID('/bin/true') USERDATA('d')": (5, 7),
    "NAMELIST(A) NAMES(ONE, TWO)": (34, 36),
    "CHANNEL(A) CHLTYPE(SDR) XMITQ(X) CONNAME('h(1),i(2)') COMPMSG(ZLIBFAST, RLE) SENDEXIT(a, b) "
    "BATCHSZ(9)": (
        23,
        25,
    ),
    "CHANNEL(A) CHLTYPE(SVRCONN) MAXINST(3) SHARECNV(2)": (23, 25),
    "CHANNEL(A) CHLTYPE(CLNTCONN) CONNAME('h(1)') AFFINITY(NONE)": (23, 25),
    "LISTENER(A) TRPTYPE(TCP) PORT(1414) CONTROL(QMGR)": (95, 97),
    "SERVICE(A) SERVTYPE(SERVER) STARTCMD('/bin/true') STARTARG('-x')": (151, 153),
    "AUTHINFO(A) AUTHTYPE(IDPWOS) CHCKCLNT(REQUIRED) FAILDLAY(3)": (81, 83),
    "AUTHINFO(A) AUTHTYPE(OCSP) OCSPURL('http://x')": (81, 83),
    "COMMINFO(A) GRPADDR('239.1.2.3') CCSID(819) MCPROP(USER) NSUBHIST(ALL) PORT(1500)": (190, 191),
    "TOPIC(A) TOPICSTR('a/b') DEFPRTY(4) PUB(DISABLED) DURSUB(NO)": (172, 174),
    "SUB(A) TOPICSTR('a/b') DEST(REPLIES) SUBLEVEL(3)": (177, 176),
    "STGCLASS(A) PSID(3) DESCR('s')": (109, 122),
    "CFSTRUCT(A) CFLEVEL(5) RECOVER(YES)": (108, 115),
}
# What an object has by itself, and a command cannot set.
GIVEN_BY_QUEUE_MANAGER = (
    "ALTDATE ALTTIME CRDATE CRTIME CURDEPTH IPPROCS OPPROCS DEFTYPE NAMCOUNT SUBID SUBTYPE SUBUSER "
    "DESTCLAS DURABLE"
    " PSPROP SUBSCOPE SELTYPE WSCHEMA SELECTOR DISTL SCOPE TYPE MCATYPE RESETSEQ PUBACCT DESTCORL"
).split()
# What a subscription gets anew when it is made, and the user who made it.
OF_ONE_LIFE = ("SUBID", "DESTCORL", "SUBUSER")
SPECIFICATION = ROOT / "docs" / "development" / "specification" / "pcf-commands.csv"


def shown(admin: Administrator, kind: str) -> dict[str, Any]:
    (reply,) = mqsc.run(admin.qmgr, f"DISPLAY {kind}(A) ALL")
    return reply.rows[0]


@pytest.mark.parametrize(
    "definition",
    OBJECTS,
    ids=[each[:30].replace("(A)", "") for each in OBJECTS],
)
def test_what_is_displayed_is_returned_and_accepted(admin: Administrator, definition: str) -> None:
    create, inquire = OBJECTS[definition]
    kind = definition.partition("(")[0]
    assert admin.run(f"DEFINE {definition}")[0][-1] == "I"
    before = shown(admin, kind)
    (name,) = (row.number for word, row in pcf_attributes(kind).items() if word == "(name)")
    admin.put(request(inquire, Parameter(name, "A")))
    (message,) = admin.messages()
    header, parameters = pcf.unpack(message.body)
    assert (header.comp_code, header.reason, parameters[0].value) == (0, 0, "A")
    assert len(parameters) == len(before), {each.number for each in parameters}
    own = {
        pcf_attributes(kind)[word].number
        for word in GIVEN_BY_QUEUE_MANAGER
        if word in pcf_attributes(kind)
    }
    own -= {"QMODEL": {7}, "CHANNEL": {1511}, "SERVICE": {121}, "TOPIC": {208}}.get(kind, set()) - {
        208,
    }
    copied = [
        each for each in parameters if each.number not in own or each.number in (20, 1511, 66, 1501)
    ]
    kept = [each for each in copied if each.value != "" or each.number in (2016, 20)]
    admin.run(f"DELETE {kind}(A){' CHLTABLE(CLNTTBL)' if 'CLNTCONN' in definition else ''}")
    assert admin.outcomes(create, *kept) == [(0, 0)], kept
    of_life = dict.fromkeys(OF_ONE_LIFE, "")
    assert {**shown(admin, kind), **of_life} == {**before, **of_life}


def numbers_in(text: str) -> set[int]:
    return {int(each) for each in re.findall(r":(\d+)", text)}


# Parameters that MQSC has no counterpart of here.
WITHOUT_COUNTERPART = {
    6: {1398},
    35: {1398},
    82: {1398},
    11: {1005},
    13: {276},
    88: {3069},
    92: {3208, 1422},
    127: {1145},
}


def numbers_of(known: CommandVocabulary) -> frozenset[int]:
    """Every number that a request can have."""
    more = {known.name, known.command.selectors}
    if known.name == MQBACF.CONNECTION_ID:
        more.add(MQBACF.GENERIC_CONNECTION_ID)
    if known.syntax.noun in OF_ENTITIES and known.selectable:
        more |= {MQCACF.ENTITY_NAME, MQIACF.ENTITY_TYPE, MQIACF.AUTH_OPTIONS}
    return frozenset({*known.parameters, *more} - {0})


def test_every_command_has_the_parameters_of_the_specification() -> None:
    with SPECIFICATION.open(encoding="utf-8", newline="") as lines:
        rows = [row for row in csv.DictReader(lines) if row["number"]]
    missing = {}
    for row in rows:
        number = int(row["number"])
        for command in pcf_commands(number):
            assert {*sum(command.required, ())} == numbers_in(row["required"]), row["command"]
            assert {*command.returned} == numbers_in(row["response"].partition(", then")[0]), row[
                "command"
            ]
        if row["mqsc"] in ("none", "any MQSC text"):
            continue
        commands = [
            each for each in pcf_commands(number) if (each.verb, each.noun) not in WITHOUT_COMMAND
        ]
        known: set[int] = {20}.union(*(numbers_of(vocabulary(each)) for each in commands))
        wanted = numbers_in(f"{row['required']} {row['optional']}") - {1122, 1123, 1124, 1125, 1291}
        if commands and wanted - known:
            missing[number] = wanted - known
    assert missing == WITHOUT_COUNTERPART


WITHOUT_NUMBER = {
    # The agents of a queue manager; the queue-sharing group of a status.
    "CHINIT": {"INITQ", "PID", "STATUS"},
    "CMDSERV": {"STATUS"},
    "QSTATUS": {"EXPIRED", "IPGROUP", "OPGROUP"},
    # AMQP and MQTT channels, for which the specification has no numbers.
    "CHANNEL": set(
        "AMQPKA AUTOSTART BACKLOG JAASCFG PORT PROTOCOL SSLKEYP SSLKEYR TMPMODEL TMPQPRFX TPROOT "
        "USECLTID".split(),
    ),
}


@pytest.mark.parametrize("verb", ["DEFINE", "ALTER", "DISPLAY"])
def test_every_attribute_has_a_number_in_its_commands(verb: str) -> None:
    for command in {each for number in range(1, 220) for each in pcf_commands(number)}:
        if command.verb != verb or command.like or (verb, command.noun) in WITHOUT_COMMAND:
            continue
        known = vocabulary(command)
        words = {meaning.keyword for each in known.parameters.values() for meaning in each}
        of_kinds = {
            word
            for kind in known.syntax.kinds
            for word, row in kind.attributes.items()
            if not row.option
        }
        named = {attribute.keyword for attribute, _ in known.syntax.words.values()} & of_kinds
        if verb == "DISPLAY":
            named |= {*known.syntax.listed.values()} & of_kinds
            words |= {word for each in known.selectable.values() for word in each}
        assert named - words - {"TYPE"} <= WITHOUT_NUMBER.get(command.noun, set()), command


COUNT = int(os.environ.get("MQSC_PCF_FUZZ", "300"))
UNEXPECTED_ERROR = 2195
# The server itself, and the connection of the test.
SPARED = {86, 143}
NAMES = ["Q1", "C", "*", "S*", "REPLIES", "", "x" * 60, "NEW", "A B", "\u00e9\0\n'", "1.2.3.4"]
NUMBERS = [
    *range(9),
    -1,
    -2,
    -3,
    16,
    32,
    99,
    1001,
    1009,
    1104,
    1105,
    1111,
    1112,
    2**31 - 1,
    -(2**31),
]


def known_commands() -> dict[int, tuple[PcfCommandRow, list[int]]]:
    found = {}
    for number in range(1, 222):
        rows = [row for row in pcf_commands(number) if (row.verb, row.noun) not in WITHOUT_COMMAND]
        numbers = {each for row in rows for parameter in row.required for each in parameter}
        for row in rows:
            if row.verb not in ("ESCAPE", "NAMES"):
                numbers |= numbers_of(vocabulary(row)) | vocabulary(row).selectable.keys()
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
        (
            6,
            lambda: Filter(
                chance.choice((0, 1, 2, 4, 10, 18, 21, 26)),
                chance.choice((0, 1, "Q*", b"x")),
            ),
        ),
        (2, lambda: Integer64(chance.choice((1, 1 << 40)))),
        (1, lambda: (Parameter(1, 2),)),
    ]
    (make,) = chance.choices([make for _, make in choices], [weight for weight, _ in choices])
    return make()


def some_parameters(
    chance: random.Random,
    command: PcfCommandRow,
    numbers: list[int],
) -> list[Parameter]:
    """The required parameters, most of them valid, and some others."""
    found = []
    for alternatives in command.required:
        number = chance.choice(alternatives)
        valid = (
            chance.choice(NAMES[:5])
            if 2000 <= number < 4000
            else chance.choice((1, 2, 3, 4, 6, 7, 1001))
        )
        found.append((number, valid if chance.random() < 0.9 else some_value(chance, numbers)))
    found += [
        (chance.choice(numbers), some_value(chance, numbers)) for _ in range(chance.randrange(4))
    ]
    return [Parameter(number, value, 48 if holds_texts(value) else 0) for number, value in found]


def holds_texts(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(each, str) for each in value)


@pytest.mark.parametrize("damaged", [False, True])
def test_f40_random_parameters_and_bytes(admin: Administrator, damaged: bool) -> None:
    admin.run("DEFINE QLOCAL(Q1)\nDEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME('h') XMITQ(X)")
    chance, commands = random.Random(COUNT), known_commands()
    for index in range(COUNT):
        number = chance.choice([*commands])
        data = bytearray(request(number, *some_parameters(chance, *commands[number])))
        if damaged and index % 3 == 0:
            data = bytearray(chance.randbytes(chance.randrange(1, 200)))
        for _ in range(chance.randrange(4) if damaged else 0):
            data[chance.randrange(len(data))] = chance.choice(
                (0, 1, 2, 4, 255, chance.randrange(256)),
            )
        admin.put(bytes(data))
        found = admin.responses()
        assert [each.control for each in found] == [0] * (len(found) - 1) + [1], data.hex()
        assert found[0].reason != UNEXPECTED_ERROR, data.hex()
    assert [*peek(admin.qmgr, COMMANDS)] == []


QUEUES = 1000
INQUIRE_Q = request(13, Parameter(2016, "Q*"), Parameter(20, 1), Parameter(1002, [1009]))


@pytest.mark.benchmark
def test_an_inquiry_takes_at_most_twice_what_display_takes(admin: Administrator) -> None:
    with admin.qmgr.store.database.one_transaction():
        mqsc.run(admin.qmgr, [f"DEFINE QLOCAL(Q{number:05})" for number in range(QUEUES)])
    displays, inquiries = [], []
    for _ in range(3):
        began = time.process_time()
        run_lines(admin.qmgr, ["DISPLAY QLOCAL(Q*) ALL"])
        displayed = time.process_time()
        admin.put(INQUIRE_Q)
        inquiries.append(time.process_time() - displayed)
        displays.append(displayed - began)
        assert len(admin.responses()) == QUEUES
    assert min(inquiries) < 2 * min(displays)
