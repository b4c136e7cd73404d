"""`mqsc channel run`, `fault` and `map`, and `runmqchl`: exit codes and output (channel-commands
§6, L48).
"""

from __future__ import annotations

import pytest

from tests.mqsc.session import Session

SETUPS = {
    # Two queue managers with a channel, and one message for it to move.
    "run": """
        qmgr create QM1
        qmgr create QM2
        QM1: DEFINE QLOCAL(X) USAGE(XMITQ)
        QM1: DEFINE QREMOTE(RQ) RNAME(Q) RQMNAME(QM2) XMITQ(X)
        QM1: DEFINE CHANNEL(C) CHLTYPE(SDR) XMITQ(X) CONNAME('local(QM2)')
        QM2: DEFINE QLOCAL(Q)
        QM2: DEFINE CHANNEL(C) CHLTYPE(RCVR)
        QM1: put RQ hello
    """,
    # The senders C and D, and the receiver R.
    "fault": """
        qmgr create QM1 --clock manual
        DEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME(QM2) XMITQ(X)
        DEFINE CHANNEL(R) CHLTYPE(RCVR)
        DEFINE CHANNEL(D) CHLTYPE(SVR) XMITQ(X)
        clock set 2026-03-01T09:00:00
    """,
    # Each of two stores has a queue manager.
    "map": """
        qmgr create QM1
        qmgr create QM2 --store sqlite:///other.db
    """,
}
SESSIONS = {
    "run: until the transmission queue is empty": """
        QM1: channel run C --until-empty => |
            !| QM1: AMQ9002I: Channel 'C' is starting.
            !| QM2: AMQ9002I: Channel 'C' is starting.
            !| QM2: AMQ9001I: Channel 'C' ended normally.
            !| QM1: AMQ9001I: Channel 'C' ended normally.
        QM2: get Q => | hello
    """,
    "run: L48 the disconnect interval": """
        QM1: ALTER CHANNEL(C) CHLTYPE(SDR) DISCINT(1)
        runmqchl -c C -m QM1 => ! QM1: AMQ9545I
            |
    """,
    "run: nothing is run": """
        runmqchl -c NOPE -m QM1 => 10 ! AMQ9519E: Channel 'NOPE' not found.
        runmqchl -c C -m QM2 => 20 ! AMQ9502E
        runmqchl -c C -m QM9 => 20 ! AMQ8118E
        runmqchl -m QM1 => 20 ! -c ChannelName is missing
        runmqchl -c C -x => 20 ! unknown option -x
        qmgr end QM1
        QM1: channel run C => 20 ! 2059
    """,
    "run: L21 a failure, and quiet runs": """
        QM1: channel run C --until-empty --quiet => !|
        qmgr end QM2
        QM1: channel run C --quiet => 10 ! AMQ9524E
        QM1: channel run C => 10 ! QM1: AMQ9524E
            ! QM1: AMQ9999E: Channel 'C' to host 'local(QM2)' ended abnormally.
    """,
    "fault: they are set, listed and cleared": """
        channel fault C break --at s4-after => | C: break at S4-after, once
        channel fault C slow 250 --at S1:3 --for 30s
        channel fault C slow 2s --at sent
        channel fault D down --times 2
        channel fault
            | CHANNEL  AT        ACTION     TIMES  UNTIL
            | C        S4-after  break      1      -
            | C        S1:3      slow 250   -      2026-03-01T09:00:30Z
            | C        S2        slow 2000  -      -
            | D        any step  down       2      -
        channel fault C --format json => .channel ["C", "C", "C"]
            .step ["S4-after", "S1", "S2"]
            .message [null, 3, null]
            .action ["break", "slow", "slow"]
            .milliseconds [null, 250, 2000]
            .times [1, null, null]
            .until [null, "2026-03-01T09:00:30Z", null]
        clock advance 30s
        channel fault C --format json => .action ["break", "slow"]
        channel fault C --clear => | 3 faults removed
        channel fault --clear => | 1 fault removed
        channel fault => !| mqsc: no fault is set
    """,
    "fault: what makes no sense": """
        channel fault ...
        NOPE break --at S1 => 10 ! AMQ8227E
        R break --at S1 => 10 ! AMQ9502E
        C burn --at S1 => 20 ! 'break', 'slow', 'down'
        C break => 20 ! break needs --at STEP
        C break --at S9 => 20 ! 'S9' is not a step; use S1,
        C break --at S3:1 => 20 ! S3 happens once a batch
        C break --at S1:0 => 20 ! '0' is not the number of a message
        C break --at S1:-1 => 20 ! '-1' is not the number of a message
        C break --at S1: => 20 ! '' is not the number of a message
        C slow --at S1 => 20 ! slow needs a number of milliseconds
        C slow -5 --at S1 => 20 ! '-5' is too short
        C slow 0 --at S1 => 20 ! '0' is too short
        C slow '5 years' --at S1 => 20 ! is not a length of time
        C break 5 --at S1 => 20 ! break takes no MS
        C break --at S1 --times 0 => 20 ! --times
        C break --at S1 --times -1 => 20 ! --times
        C break --at S1 --for -5s => 20 ! is not a length of time
        C break --at S1 --for 0s => 20 ! longer than 0
        C break --at S1 --for 5s --times 2 => 20 ! not both
        C --at S1 => 20 ! Missing ACTION
        C break --at S1 --clear => 20 ! --clear
        ...
        channel fault => |
    """,
    "fault: they go with their queue manager": """
        channel fault C down
        qmgr end QM1
        channel fault => = C        any step  down    -      -
        qmgr delete QM1
        qmgr create QM1
        channel fault => |
    """,
    "map: hosts are mapped, listed and removed": """
        channel map MQ.Example.com sqlite:///other.db(QM2)
            | mq.example.com(1414) is mapped to sqlite:///$PWD/other.db(QM2)
        channel map 10.0.0.1(1500) QM1
        channel map => > ADDRESS
            > TARGET
        channel map --format json => .address ["10.0.0.1(1500)", "mq.example.com(1414)"]
            .target ["local(QM1)", "sqlite:///$PWD/other.db(QM2)"]
        channel map mq.example.com(1414) local(QM1)
        channel map --format json => .target ["local(QM1)", "local(QM1)"]
        channel map mq.example.com --remove => | mq.example.com(1414) is not mapped any more
        channel map mq.example.com --remove => 10 !| mqsc: mq.example.com(1414) is not mapped
    """,
    "map: a channel goes where it says": """
        DEFINE QLOCAL(X) USAGE(XMITQ)
        DEFINE QREMOTE(RQ) RNAME(Q) RQMNAME(QM2) XMITQ(X)
        DEFINE CHANNEL(C) CHLTYPE(SDR) CONNAME('mq.example.com(1414)') XMITQ(X)
        run -c 'DEFINE QLOCAL(Q)' -c 'DEFINE CHANNEL(C) CHLTYPE(RCVR)' --store sqlite:///other.db
        put RQ hello
        channel run C --until-empty => 10 ! is not mapped
        channel map mq.example.com(1414) sqlite:///other.db(QM2)
        channel run C --until-empty
        get Q --store sqlite:///other.db => | hello
    """,
    "map: what makes no sense": """
        channel map ...
        host => 20 ! Missing TARGET
        --remove => 20 ! needs the ADDRESS
        host QM1 --remove => 20 ! no TARGET
        host(1),b(2) QM1 => 20 ! not one address
        '' QM1 => 20 ! not one address
        local(QM1) QM1 => 20 ! not a network address
        sqlite:///x.db(QM1) QM1 => 20 ! not a network address
        host(x) QM1 => 20 ! not a network address
        'a b' QM1 => 20 ! not a network address
        host other(1414) => 20 ! does not name a queue manager or a store
        host QM1,QM2 => 20 ! does not name a queue manager or a store
        host sqlite://(QM1) => 20 ! sqlite
        ...
        channel map => |
    """,
    "map: a target that is not there yet is pointed out": """
        channel map host QM7 => ! no queue manager QM7 in this store yet
        channel map host sqlite:///new.db(QM7) => ! there is no store
        --quiet channel map host QM7 => ~ hosts
    """,
}


@pytest.mark.parametrize("name", SESSIONS)
def test_sessions(session: Session, name: str) -> None:
    session(SETUPS[name.partition(":")[0]] + SESSIONS[name])
