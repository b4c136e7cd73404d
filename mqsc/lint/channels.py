"""Advice on listeners, channels and topics."""

from __future__ import annotations

from collections.abc import Iterator

from mqsc.lint.rule import Rule
from mqsc.lint.scripts import Defined, Scripts
from mqsc.lint.statement import Hit

DEFAULT_PORT = 1414


def never_started(listener: Defined, scripts: Scripts) -> Iterator[Hit]:
    """CONTROL(MANUAL) is the default."""
    said = listener.said.get("CONTROL")
    started = (listener.kind.keyword, listener.name) in scripts.started
    if listener.kind.keyword == "LISTENER" and listener.known and said is None and not started:
        message = f"{listener.name} does not start with the queue manager: after a restart nobody can come in"
        yield Hit(listener.place, message, "CONTROL(QMGR), or CONTROL(MANUAL) if that is meant")


def one_port(scripts: Scripts) -> Iterator[Hit]:
    """Two listeners cannot have one port."""
    first: dict[tuple[str, object, object], Defined] = {}
    for listener in scripts.of("LISTENER"):
        if not listener.known or listener.get("TRPTYPE") != "TCP":
            continue
        port = listener.get("PORT") or DEFAULT_PORT
        key = (listener.place.file, listener.get("IPADDR"), port)
        other = first.setdefault(key, listener)
        if other is not listener:
            message = f"{listener.name} and {other.name} (line {other.place.line}) both listen on port {port}"
            yield Hit(listener.at("PORT"), message, "another PORT")


def one_topic_string(scripts: Scripts) -> Iterator[Hit]:
    """No two topic objects stand at one place of the tree."""
    first: dict[tuple[str, object], Defined] = {}
    for topic in scripts.of("TOPIC"):
        string = topic.get("TOPICSTR")
        other = first.setdefault((topic.place.file, string), topic) if string else topic
        if other is not topic:
            message = f"{topic.name} and {other.name} (line {other.place.line}) have the same TOPICSTR"
            yield Hit(topic.at("TOPICSTR"), message, "one topic object for a topic string")


RULES = (
    Rule(
        "MQSC-C35",
        "note",
        "Listener that nobody starts",
        "A listener is CONTROL(MANUAL) unless it says otherwise: after a restart of the queue manager nobody can come "
        "in until someone starts it.",
        "DEFINE LISTENER(L) TRPTYPE(TCP) PORT(1415)\n",
        "DEFINE LISTENER(L) TRPTYPE(TCP) PORT(1415) CONTROL(QMGR)\n",
        of_object=never_started,
    ),
    Rule(
        "MQSC-C36",
        "warning",
        "Two listeners on one port",
        "The second one does not start. PORT(0) and no PORT mean 1414.",
        "DEFINE LISTENER(L) TRPTYPE(TCP) CONTROL(QMGR)\nDEFINE LISTENER(M) TRPTYPE(TCP) PORT(1414) CONTROL(QMGR)\n",
        "DEFINE LISTENER(L) TRPTYPE(TCP) CONTROL(QMGR)\nDEFINE LISTENER(M) TRPTYPE(TCP) PORT(1415) CONTROL(QMGR)\n",
        of_scripts=one_port,
    ),
    Rule(
        "MQSC-C37",
        "warning",
        "Two topics with one topic string",
        "A topic string has at most one topic object: the second definition fails.",
        "DEFINE TOPIC(A) TOPICSTR('orders')\nDEFINE TOPIC(B) TOPICSTR('orders')\n",
        "DEFINE TOPIC(A) TOPICSTR('orders')\nDEFINE TOPIC(B) TOPICSTR('orders/new')\n",
        of_scripts=one_topic_string,
    ),
)
