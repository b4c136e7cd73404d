"""Error logs of IBM MQ: scenarios I26 to I41 and I66 of the specification."""

from __future__ import annotations

import gzip
import json
import zipfile
from pathlib import Path

import pytest

from tests.mqsc.conftest import Command
from tests.mqsc.imports.history import corpus, events, imported, needs_corpus, short

SEPARATOR = "----- amqrmrsa.c : 930 --------------------------------------------------------\n"


def record(
    message: str,
    *fields: str,
    date: str = "03/01/2026",
    time: str = "10:00:00",
    utc: str = "2026-03-01T09:00:00.000Z",
    process: str = "10.1",
) -> str:
    """A record of a text log of queue manager SHOP; without `utc`, as MQ 8 writes it."""
    stamp = f"\n                      Time({utc})" if utc else ""
    lines = "".join(f"\n                      {field}" for field in fields)
    return (
        f"{date} {time} - Process({process}) User(mqm) Program(amqrmppa)\n"
        f"                      Host(shop1) Installation(Installation1)\n"
        f"                      VRMF(9.4.0.0) QMgr(SHOP){stamp}{lines}\n                     \n"
        f"{message}\n\nEXPLANATION:\nWhy.\nACTION:\nNone.\n{SEPARATOR}"
    )


def as_json(message: str, **more: object) -> str:
    """A record of a JSON log, as `record` writes it in text."""
    id, _, _ = message.partition(":")
    values = {
        "ibm_messageId": id,
        "ibm_datetime": "2026-03-01T09:00:00.000Z",
        "ibm_serverName": "SHOP",
        "type": "mq_log",
        "host": "shop1",
        "loglevel": "ERROR",
        "ibm_processId": "10",
        "ibm_threadId": "1",
        "ibm_arithInsert1": 0,
        "message": message,
        **more,
    }
    return json.dumps(values) + "\n"


BOUND = record("AMQ9002I: Channel 'TO.QM2' is starting.", "CommentInsert1(TO.QM2)")
ENDED = record(
    "AMQ9001I: Channel 'TO.QM2' to host 'b (1.2.3.4)' ended normally.",
    "CommentInsert1(TO.QM2)",
)
LOST = record(
    "AMQ9208E: Error on receive from host 'b (1.2.3.4)'.",
    "ArithInsert1(104)",
    "CommentInsert1(b (1.2.3.4))",
)
FAILED = record(
    "AMQ9999E: Channel 'TO.QM2' to host 'b (1.2.3.4)' ended\nabnormally.",
    "CommentInsert1(TO.QM2)",
    "CommentInsert2(10)",
)


@needs_corpus
def test_i26_translated_records_have_the_time_in_utc_and_their_own_text(mqsc: Command) -> None:
    mqsc("import", corpus("elastic__beats"), "-m", "QM")
    found = events(mqsc)
    assert short(found) == ["LOG", "LOG", "LOG"]
    assert found[0]["at"] == "2018-10-11T08:39:30.731000Z"
    assert found[2]["detail"]["text"].startswith("Der Testzeitraum")
    assert (
        found[0]["detail"]["inserts"]["CommentInsert2"]
        == "C:\\Program Files\\IBM\\MQ (Installation1)"
    )


@needs_corpus
@pytest.mark.parametrize(
    ("options", "at", "zone"),
    [
        (("--timezone", "America/New_York"), "2019-03-22T12:17:30Z", "America/New_York"),
        ((), "2019-03-22T08:17:30Z", "assumed"),
    ],
    ids=["I27", "I28"],
)
def test_i27_i28_a_timeout_is_the_reason_of_the_failure(
    mqsc: Command,
    options: tuple[str, ...],
    at: str,
    zone: str,
) -> None:
    ended = mqsc("import", corpus("sysamq05"), *options)
    (found,) = events(mqsc)
    assert short([found]) == ["CHANNEL failed NBBEBEB04P2.SVR"]
    assert (found["at"], found["detail"]["zone"], found["qmgr"]) == (at, zone, "QM05")
    assert found["detail"]["message"] == "AMQ9271: Channel 'NBBEBEB04P2.SVR' timed out."
    assert ("have no zone" in ended.out) == (zone == "assumed")


@needs_corpus
def test_i29_a_file_may_begin_with_a_separator_and_have_equal_records(mqsc: Command) -> None:
    assert mqsc("import", corpus("signalfx")).code == 0
    found = events(mqsc)
    assert short(found) == ["LOG", "LOG", "LOG", "LOG", "CHANNEL failed DPI.ENTERPR.SVRCONN"]
    assert found[-1]["at"] < found[0]["at"]
    assert found[-1]["detail"]["inserts"]["CommentInsert3"] == "vrtdo3089 (10.135.177.44)"


def test_i30_an_offset_is_learned_for_the_host_and_the_day(mqsc: Command) -> None:
    learned = record("AMQ5026I: One.", utc="2026-03-01T15:00:00.000Z")
    mqsc("qmgr", "create", "OTHER")
    imported(mqsc, learned + record("AMQ5026I: Two.", utc=""))
    assert [each["at"] for each in events(mqsc, "--kind", "LOG")] == ["2026-03-01T15:00:00Z"] * 2
    assert [each["detail"].get("zone") for each in events(mqsc, "--kind", "LOG")] == [
        None,
        "-05:00",
    ]


@pytest.mark.parametrize(
    ("dates", "expected"),
    [
        (("01/02/2019", "13/02/2019"), ["2019-02-01T10:00:00Z", "2019-02-13T10:00:00Z"]),
        (("01/02/2019",), ["2019-01-02T10:00:00Z"]),
        (
            ("01.02.2019", "2019-02-03", "04/05/19"),
            ["2019-02-01T10:00:00Z", "2019-02-03T10:00:00Z", "2019-04-05T10:00:00Z"],
        ),
    ],
    ids=["I31", "I32", "forms"],
)
def test_i31_i32_the_order_of_dates_is_one_for_a_file(
    mqsc: Command,
    dates: tuple[str, ...],
    expected: list[str],
) -> None:
    imported(mqsc, "".join(record("AMQ5026: A.", date=each, utc="") for each in dates))
    assert [each["at"] for each in events(mqsc)] == expected
    assert {each["detail"]["zone"] for each in events(mqsc)} == {"assumed"}


@pytest.mark.parametrize(
    "value",
    ["MQ Linux (x86-64 platform) 64-bit", "a (b", "a) b", "()"],
    ids=["I33", "open", "closed", "empty"],
)
def test_i33_a_value_may_have_parentheses(mqsc: Command, value: str) -> None:
    imported(mqsc, record("AMQ5026I: A.", f"CommentInsert1({value})", "CommentInsert2(x)"))
    (found,) = events(mqsc)
    assert found["detail"]["inserts"] == {"CommentInsert1": value, "CommentInsert2": "x"}


@needs_corpus
def test_i34_records_of_one_line_are_read(mqsc: Command) -> None:
    assert mqsc("import", corpus("9-4.log"), "-m", "QM1").code == 0
    assert short(events(mqsc)) == ["LOG", "CREATE", "LOG"]
    assert events(mqsc, "--kind", "CREATE")[0]["at"] == "2026-03-19T14:55:47.163000Z"


@pytest.mark.parametrize("cut", [40, 200, 400])
def test_i35_a_record_that_rotation_has_cut_is_one(mqsc: Command, cut: int) -> None:
    files = {
        "AMQERR03.LOG": BOUND,
        "AMQERR02.LOG": ENDED + FAILED[:cut],
        "AMQERR01.LOG": FAILED[cut:] + BOUND,
    }
    for name, text in files.items():
        Path(name).write_text(text)
    ended = mqsc("import", *sorted(files))
    assert (ended.code, ended.err) == (0, "")
    expected = ["CHANNEL bound TO.QM2", "CHANNEL ended TO.QM2", "CHANNEL failed TO.QM2"]
    # The last record equals that of the oldest file.
    assert short(events(mqsc)) == expected
    assert "ended abnormally." in events(mqsc)[-1]["detail"]["message"]


def test_a_file_that_begins_inside_a_record_says_so(mqsc: Command) -> None:
    ended = imported(mqsc, FAILED[400:] + BOUND)
    assert ended.code == 0
    assert "AMQERR01.LOG:1: the file begins in the middle of a record" in ended.out
    assert short(events(mqsc)) == ["CHANNEL bound TO.QM2"]


def test_i36_i37_text_and_json_of_one_queue_manager_have_the_same_records(mqsc: Command) -> None:
    text = record(
        "AMQ9776E: Channel was blocked by userid",
        "ArithInsert2(5)",
        "CommentInsert1(A.SVRCONN)",
    )
    inserts = {"ibm_arithInsert2": 5, "ibm_commentInsert1": "A.SVRCONN"}
    written = as_json("AMQ9776E: Channel was blocked by userid", **inserts)
    number = as_json("AMQ9776E: Channel was blocked by userid", **inserts, ibm_processId=10)
    imported(mqsc, text)
    for each in (written, number):
        assert "1 record already there" in imported(mqsc, each, name="AMQERR01.json").out
    assert short(events(mqsc)) == ["REFUSE imported A.SVRCONN"]


@pytest.mark.parametrize(
    "before",
    ["qm-1  | ", "2026-03-01 10:00:00 ", "2026-03-01T09:00:00.1Z ", "[pod/qm-0/qmgr] "],
)
def test_json_behind_the_name_of_a_container_or_a_time(mqsc: Command, before: str) -> None:
    text = as_json("AMQ5026I: A {b} c.") + as_json("x", type="mq_containerlog")
    ended = imported(
        mqsc,
        "".join(before + line for line in text.splitlines(keepends=True)),
        name="docker.log",
    )
    assert (ended.code, ended.err) == (0, "")
    (found,) = events(mqsc)
    assert (found["detail"]["text"], found["detail"]["line"]) == ("A {b} c.", 1)


def test_i38_other_objects_are_skipped_and_damaged_lines_reported(mqsc: Command) -> None:
    text = (
        as_json("AMQ5026I: A.")
        + as_json("AMQ1: x", type="mqsc_log")
        + "no JSON\n"
        + as_json("AMQ5037I: B.")
    )
    ended = imported(mqsc, text, name="log.json")
    assert (ended.code, "log.json:3: not a JSON object" in ended.err) == (10, True)
    assert len(events(mqsc)) == 1
    assert imported(mqsc, text, "--keep-going", name="log.json").code == 10
    assert [each["detail"]["message_id"] for each in events(mqsc)] == ["AMQ5026I", "AMQ5037I"]


def test_i39_i40_a_channel_fails_for_the_reason_of_its_own_thread(mqsc: Command) -> None:
    imported(
        mqsc,
        BOUND
        + ENDED
        + BOUND.replace("10:00:00", "10:00:01").replace("09:00:00", "09:00:01")
        + LOST
        + FAILED,
    )
    assert short(events(mqsc)) == [
        f"CHANNEL {cause} TO.QM2" for cause in ("bound", "ended", "bound", "failed")
    ]
    assert (
        events(mqsc)[-1]["detail"]["message"]
        == "AMQ9208E: Error on receive from host 'b (1.2.3.4)'."
    )
    other = LOST.replace("10.1)", "10.2)").replace("SHOP", "OTHER")
    imported(mqsc, other + FAILED.replace("SHOP", "OTHER"))
    assert short(events(mqsc, "-m", "OTHER")) == ["CHANNEL failed", "CHANNEL failed TO.QM2"]


def test_i41_a_refused_client_has_its_user_and_address(mqsc: Command) -> None:
    active = "CommentInsert3(CLNTUSER(anna) ADDRESS(host.example))"
    imported(
        mqsc,
        record(
            "AMQ9776E: Channel was blocked by userid",
            "CommentInsert1(A.SVRCONN)",
            "CommentInsert2(1.2.3.4)",
            active,
        ),
    )
    (found,) = events(mqsc)
    assert short([found]) == ["REFUSE imported A.SVRCONN"]
    assert (found["user"], found["detail"]["address"]) == ("anna", "1.2.3.4")


def test_i66_members_of_an_archive_are_files(mqsc: Command) -> None:
    with zipfile.ZipFile("all.zip", "w") as archive:
        archive.writestr("errors/AMQERR01.LOG", BOUND)
        archive.writestr("errors/AMQERR01.json.gz", gzip.compress(as_json("AMQ5026I: A.").encode()))
    assert mqsc("import", "all.zip").code == 0
    assert sorted(short(events(mqsc))) == ["CHANNEL bound TO.QM2", "LOG"]


DAMAGED = {
    "mixed": (BOUND[:150] + ENDED + BOUND, 2),
    "no id": (BOUND.replace("AMQ9002I:", "") + ENDED, 1),
    "no time": (BOUND.replace("2026-03-01T09", "2026-03-01T99") + ENDED, 1),
    "date": (BOUND.replace("03/01/2026", "03/41/2026") + ENDED, 2),
    "behind": (BOUND + "what is this\n" + ENDED, 2),
    "latin": (BOUND.encode() + ENDED.replace("host", "hôst").encode("latin-1"), 2),
    "crlf": ((BOUND + ENDED).replace("\n", "\r\n"), 2),
    "nul": ((BOUND + ENDED).encode() + b"\0" * 100, 2),
    "end": (BOUND + ENDED[:-120], 2),
}


@pytest.mark.parametrize(("content", "number"), DAMAGED.values(), ids=list(DAMAGED))
def test_one_bad_record_costs_one_record(mqsc: Command, content: str | bytes, number: int) -> None:
    ended = imported(mqsc, content, "--keep-going")
    assert len(events(mqsc)) == number
    assert "Traceback" not in ended.err
    again = imported(mqsc, content, "--keep-going")
    assert (again.code, len(events(mqsc))) == (ended.code, number)


def test_events_of_a_queue_manager_that_the_store_has_too_are_kept_apart(mqsc: Command) -> None:
    mqsc("qmgr", "create", "SHOP")
    Path("events.json").write_text(
        '{"eventSource": {"queueMgr": "OTHER"}, "eventType": {"value": 44}, "eventReason": '
        '{"value": 2222}, "eventCreation": {"epoch": 1772355600}}',
    )
    Path("AMQERR01.LOG").write_text(BOUND)
    ended = mqsc("import", "AMQERR01.LOG", "events.json")
    assert (
        ended.code,
        "the events of the real one are those of SHOP.IMPORTED (--rename names another)"
        in ended.out,
    ) == (
        0,
        True,
    )
    assert short(events(mqsc, "-m", "SHOP.IMPORTED")) == ["CHANNEL bound TO.QM2"]
    assert short(events(mqsc, "-m", "OTHER")) == ["START"]
    assert "1 record already there" in imported(mqsc, BOUND).out
    refused = imported(mqsc, ENDED, "--rename", "OTHER=SHOP", "--rename", "SHOP=SHOP")
    assert (refused.code, "SHOP is a queue manager of this store" in refused.err) == (10, True)
    assert imported(mqsc, ENDED, "--rename", "SHOP=SHOP.REAL").code == 0
    assert short(events(mqsc, "-m", "SHOP.REAL")) == ["CHANNEL ended TO.QM2"]
    ended = mqsc("qmgr", "create", "SHOP.REAL")
    assert (ended.code, "were imported" in ended.err) == (20, True)


def test_a_plan_writes_nothing(mqsc: Command) -> None:
    ended = imported(mqsc, BOUND + ENDED + BOUND, "--plan")
    assert "3 CHANNEL events would be imported into SHOP" in ended.out
    assert not Path("store.db").exists()
    imported(mqsc, BOUND)
    assert (
        "2 CHANNEL events would be imported" in imported(mqsc, BOUND + ENDED + BOUND, "--plan").out
    )
    assert len(events(mqsc)) == 1


def test_a_job_log_of_zos(mqsc: Command) -> None:
    text = (
        "1                   J E S 2  J O B  L O G\n"
        " 10.00.00 STC01234 ---- SUNDAY,    01 MAR 2026 ----\n"
        " 10.00.01 STC01234  CSQY022I -CSQ1 QUEUE MANAGER INITIALIZATION COMPLETE\n"
        " 10.00.02 STC01234  IEF403I CSQ1CHIN - STARTED\n"
        " 10.00.03 STC01235  +CSQX500I -CSQ1 CSQXRESP Channel TO.QM2 started\n"
        " 10.00.04 STC01235  +CSQX599E -CSQ1 CSQXRESP Channel TO.QM2 ended abnormally\n"
    )
    imported(mqsc, text, name="joblog.txt")
    assert short(events(mqsc)) == ["START", "CHANNEL bound TO.QM2", "CHANNEL failed TO.QM2"]
    assert events(mqsc)[0]["at"] == "2026-03-01T10:00:01Z"


def test_messages_in_the_system_log_of_zos_with_another_prefix(mqsc: Command) -> None:
    text = (
        "N 0020000 SYSA     2026060 09:12:05.12 STC01234 00000090  IEF403I CSQ1CHIN - STARTED\n"
        "N 4000000 SYSA     2026060 09:12:05.12 STC01234 00000090  CSQX500I =CSQ1 CSQXRESP Channel "
        "TO.QM2 started\n"
        "NC0000000 SYSA     2026060 09:12:07.12 STC01234 00000090  CSQX501I =CSQ1 CSQXRESP Channel "
        "TO.QM2 ended\n"
    )
    imported(mqsc, text, name="syslog.txt")
    assert short(events(mqsc)) == ["CHANNEL bound TO.QM2", "CHANNEL ended TO.QM2"]
    assert events(mqsc)[0]["at"] == "2026-03-01T09:12:05Z"


def test_a_log_that_begins_with_a_line_between_records(mqsc: Command) -> None:
    ran = imported(
        mqsc,
        "-" * 79 + "\n" + record("AMQ9544W: Messages not put to destination queue."),
    )
    assert (ran.code, ran.err) == (0, "")
    assert len(ran.lines) == 2


def test_a_line_of_the_history_explains_the_message(mqsc: Command) -> None:
    imported(
        mqsc,
        record("AMQ9490E: The maximum number of instances, 1, of channel 'A' was reached.", utc=""),
    )
    out = mqsc("history").out
    assert "AMQ9490E: The maximum number of instances" in out
    assert "The channel already has MAXINST instances." in out
    assert "from AMQERR01.LOG:1, zone assumed" in out


WRONG = {
    "--timezone Mars/Olympus": "'Mars/Olympus' is not a time zone",
    "--encoding ebcdic": "'ebcdic' is not an encoding",
    "--rename A=B=C=": "is not NEW or OLD=NEW",
    "--rename NEW": "without -m, write --rename OLD=NEW",
    "--plan --follow": "leave one out",
    "--follow nowhere": "nowhere does not exist",
}


@pytest.mark.parametrize(("options", "sentence"), WRONG.items())
def test_wrong_options_are_explained(mqsc: Command, options: str, sentence: str) -> None:
    ended = imported(mqsc, BOUND, *options.split())
    assert (ended.code, sentence in ended.err) == (20, True)


@pytest.mark.parametrize("utc", ["0001-01-01T00:00:00.000+14:00", "9999-12-31T23:59:59.000-14:00"])
def test_a_time_that_no_year_has_in_utc_is_damaged(mqsc: Command, utc: str) -> None:
    ended = imported(mqsc, BOUND + record("AMQ5026I: Far.", utc=utc) + ENDED, "--keep-going")
    assert (ended.code, short(events(mqsc))) == (
        10,
        ["CHANNEL bound TO.QM2", "CHANNEL ended TO.QM2"],
    )
    line = json.dumps({"ibm_messageId": "AMQ5026I", "ibm_datetime": utc, "ibm_serverName": "SHOP"})
    assert imported(mqsc, line, name="AMQERR01.json").code == 10


def test_a_name_that_no_queue_manager_has_is_not_taken_over(mqsc: Command) -> None:
    for name in ("SH\x1b[31mOP", "Q" * 49, "SH OP"):
        ended = imported(mqsc, BOUND.replace("QMgr(SHOP)", f"QMgr({name})"))
        assert (ended.code, "1 record of no queue manager; name it with -m" in ended.err) == (
            10,
            True,
        )
    assert events(mqsc) == []


BEFORE_MQ_6 = """\
11/30/04  08:15:09
AMQ9208: Error on receive from host mill (10.4.0.9).

EXPLANATION:
An error occurred receiving data.
ACTION:
Try later.
----- amqccita.c : 2754 -------------------------------------------------------
11/30/04  08:15:10
AMQ9999: Channel program ended abnormally.

EXPLANATION:
Channel program 'DEPOT.MILL' ended abnormally.
ACTION:
Look before.
----- amqrccca.c : 777 --------------------------------------------------------
"""


def test_records_before_mq_6_have_no_process_and_explain_which_channel(mqsc: Command) -> None:
    assert imported(mqsc, BEFORE_MQ_6.replace("\n", "\r\n"), "-m", "DEPOT").code == 0
    (event,) = events(mqsc)
    assert (event["at"], event["target"]) == ("2004-11-30T08:15:10Z", "DEPOT.MILL")
    assert event["detail"]["message"] == "AMQ9208: Error on receive from host mill (10.4.0.9)."


CONTAINER = """\
2026-05-06T07:08:09.001Z Using queue manager name: DEPOT
mq-1  | 2026-05-06T07:08:10.002Z AMQ8003I: IBM MQ queue manager 'DEPOT' started using V9.4.3.0. \
[CommentInsert1(9.4.3.0), CommentInsert3(DEPOT)]
2026-05-06T07:08:11.1Z 2026-05-06T07:08:11.003Z AMQ9208E: Error on receive from host 'mill (10.4.0.9)'. \
[ArithInsert1(104), CommentInsert1(mill (10.4.0.9))]
2026-05-06T07:08:11.004Z AMQ9999E: Channel 'DEPOT.MILL' to host 'mill' ended abnormally. [CommentInsert1(DEPOT.MILL)]
2026-05-06T07:08:12.005Z Started web server
"""


def test_the_log_of_a_container(mqsc: Command) -> None:
    ended = imported(mqsc, CONTAINER, name="docker.log")
    assert (
        ended.lines[-1]
        == "docker.log (containerlog): 1 CHANNEL event, 1 START event imported into DEPOT"
    )
    start, failed = events(mqsc)
    assert start["at"] == "2026-05-06T07:08:10.002000Z"
    assert (failed["target"], failed["detail"]["line"]) == ("DEPOT.MILL", 4)
    assert failed["detail"]["message"].startswith(
        "AMQ9208E: Error on receive from host 'mill (10.4.0.9)'.",
    )
    assert failed["detail"]["inserts"] == {"CommentInsert1": "DEPOT.MILL"}
    again = imported(mqsc, CONTAINER, name="docker.log")
    assert again.lines[-1] == "docker.log (containerlog): nothing imported"


def test_a_message_of_a_container_with_a_time_that_is_none(mqsc: Command) -> None:
    ended = imported(
        mqsc,
        "2026-05-36T07:08:09.001Z AMQ8003I: started.\n",
        "-m",
        "DEPOT",
        name="docker.log",
    )
    assert ended.code == 10
    assert (
        "docker.log:1: a message with the time 2026-05-36T07:08:09.001Z, which does not exist"
        in ended.err
    )
