"""Every kind of object: what DISPLAY shows, an inquiry returns; and what an inquiry returns, a command accepts."""

from __future__ import annotations

import csv
import re
from typing import Any

import pytest

import mqsc
from mqsc.pcf.vocabulary import WITHOUT_COMMAND, vocabulary
from store.catalog.pcf import pcf_attributes, pcf_commands
from store.headers import pcf
from store.headers.pcf import Parameter
from tests.mqsc.pcf.conftest import Administrator, request
from tests.source import ROOT

# The definition, the MQCMD to create and to inquire, and the words of DISPLAY that a definition does not take.
OBJECTS = {
    "QLOCAL(A) MAXDEPTH(7) TRIGGER TRIGTYPE(DEPTH) PUT(DISABLED) DESCR('x y') STRMQOS(MUSTDUP) NOSHARE": (11, 13),
    "QALIAS(A) TARGET(B) TARGTYPE(TOPIC) DEFPSIST(YES) CAPEXPRY(77)": (11, 13),
    "QREMOTE(A) RNAME(B) RQMNAME(QM2) XMITQ(X)": (11, 13),
    "QMODEL(A) DEFTYPE(PERMDYN) MSGDLVSQ(FIFO) MAXFSIZE(20)": (11, 13),
    "PROCESS(A) APPLTYPE(UNIX) APPLICID('/bin/true') USERDATA('d')": (5, 7),
    "NAMELIST(A) NAMES(ONE, TWO)": (34, 36),
    "CHANNEL(A) CHLTYPE(SDR) XMITQ(X) CONNAME('h(1),i(2)') COMPMSG(ZLIBFAST, RLE) SENDEXIT(a, b) BATCHSZ(9)": (23, 25),
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
    "ALTDATE ALTTIME CRDATE CRTIME CURDEPTH IPPROCS OPPROCS DEFTYPE NAMCOUNT SUBID SUBTYPE SUBUSER DESTCLAS DURABLE"
    " PSPROP SUBSCOPE SELTYPE WSCHEMA SELECTOR DISTL SCOPE TYPE MCATYPE RESETSEQ PUBACCT DESTCORL"
).split()
SPECIFICATION = ROOT / "docs" / "specification" / "pcf-commands.csv"


def shown(admin: Administrator, kind: str) -> dict[str, Any]:
    (reply,) = mqsc.run(admin.qmgr, f"DISPLAY {kind}(A) ALL")
    return reply.rows[0]


@pytest.mark.parametrize(
    "definition", OBJECTS, ids=[each.replace("(A)", "").partition(" DE")[0][:24] for each in OBJECTS]
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
    own = {pcf_attributes(kind)[word].number for word in GIVEN_BY_QUEUE_MANAGER if word in pcf_attributes(kind)}
    own -= {"QMODEL": {7}, "CHANNEL": {1511}, "SERVICE": {121}, "TOPIC": {208}}.get(kind, set()) - {208}
    copied = [each for each in parameters if each.number not in own or each.number in (20, 1511, 66, 1501)]
    kept = [each for each in copied if each.value != "" or each.number in (2016, 20)]
    admin.run(f"DELETE {kind}(A){' CHLTABLE(CLNTTBL)' if 'CLNTCONN' in definition else ''}")
    assert admin.outcomes(create, *kept) == [(0, 0)], kept
    assert {k: v for k, v in shown(admin, kind).items() if k != "SUBID"} == {
        k: v for k, v in before.items() if k != "SUBID"
    }


def numbers_in(text: str) -> set[int]:
    return {int(each) for each in re.findall(r":(\d+)", text)}


# Parameters that MQSC has no counterpart of here.
WITHOUT_COUNTERPART = {
    6: {1398}, 35: {1398}, 82: {1398}, 11: {1005}, 13: {276}, 88: {3069}, 92: {3208, 1422}, 127: {1145},
    132: {1231}, 146: {1231},
}  # fmt: skip


def test_every_command_has_the_parameters_of_the_specification() -> None:
    with SPECIFICATION.open(encoding="utf-8", newline="") as lines:
        rows = [row for row in csv.DictReader(lines) if row["number"] and row["mqsc"] not in ("none", "any MQSC text")]
    missing = {}
    for row in rows:
        number = int(row["number"])
        commands = [each for each in pcf_commands(number) if (each.verb, each.noun) not in WITHOUT_COMMAND]
        known: set[int] = {20}.union(*(vocabulary(each).numbers for each in commands))
        wanted = numbers_in(f"{row['required']} {row['optional']}") - {1122, 1123, 1124, 1125, 1291}
        if commands and wanted - known:
            missing[number] = wanted - known
    assert missing == {number: each for number, each in WITHOUT_COUNTERPART.items() if number not in (132, 146)}


def test_the_required_and_returned_parameters_are_those_of_the_specification() -> None:
    with SPECIFICATION.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            for command in pcf_commands(int(row["number"] or 0)):
                assert {*sum(command.required, ())} == numbers_in(row["required"]), row["command"]
                begins = numbers_in(row["response"].partition(", then")[0])
                assert {*command.returned} == begins, row["command"]


WITHOUT_NUMBER = {
    # The agents of a queue manager; the queue-sharing group of a status.
    "CHINIT": {"INITQ", "PID", "STATUS"},
    "CMDSERV": {"STATUS"},
    "QSTATUS": {"EXPIRED", "IPGROUP", "OPGROUP"},
    # AMQP and MQTT channels, for which the specification has no numbers.
    "CHANNEL": set(
        "AMQPKA AUTOSTART BACKLOG JAASCFG PORT PROTOCOL SSLKEYP SSLKEYR TMPMODEL TMPQPRFX TPROOT USECLTID".split()
    ),
}


@pytest.mark.parametrize("verb", ["DEFINE", "ALTER", "DISPLAY"])
def test_every_attribute_has_a_number_in_its_commands(verb: str) -> None:
    for command in {each for number in range(1, 220) for each in pcf_commands(number)}:
        if command.verb != verb or command.like or (verb, command.noun) in WITHOUT_COMMAND:
            continue
        known = vocabulary(command)
        words = {meaning.keyword for each in known.parameters.values() for meaning in each}
        of_kinds = {word for kind in known.syntax.kinds for word, row in kind.attributes.items() if not row.option}
        named = {attribute.keyword for attribute, _ in known.syntax.words.values()} & of_kinds
        if verb == "DISPLAY":
            named |= {*known.syntax.listed.values()} & of_kinds
            words |= {word for each in known.selectable.values() for word in each}
        assert named - words - {"TYPE"} <= WITHOUT_NUMBER.get(command.noun, set()), command
