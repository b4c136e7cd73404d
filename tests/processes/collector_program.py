"""A collector of metrics on pymqi. It inquires what Datadog's integration and IBM's exporter
inquire.

It prints a line for each inquiry: the reason code, or the numbers that a collector reads of the
queue ORDERS and the channel TO.B. A number that is not in the answer is None.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pymqi
from pymqi import CMQC, CMQCFC

QUEUE, CHANNEL = CMQC.MQCA_Q_NAME, CMQCFC.MQCACH_CHANNEL_NAME
OBJECTS = (b"ORDERS", b"TO.B")


class Inquiry(NamedTuple):
    """A command, its parameters, and the numbers that a collector reads from each answer, by
    name.
    """

    command: str
    parameters: Mapping[int, Any]
    read: str = ""


STATUS = "MQIACF_OLDEST_MSG_AGE MQIACF_UNCOMMITTED_MSGS MQIA_CURRENT_Q_DEPTH MQIA_OPEN_INPUT_COUNT"
CHANNELS = (
    "MQIACH_BATCH_SIZE MQIACH_BATCH_INTERVAL MQIACH_LONG_RETRY MQIACH_LONG_TIMER "
    "MQIACH_MAX_MSG_LENGTH "
    "MQIACH_SHORT_RETRY MQIACH_DISC_INTERVAL MQIACH_HB_INTERVAL MQIACH_NPM_SPEED MQIACH_SHORT_TIMER"
)
RUNNING = (
    "MQIACH_BUFFERS_RCVD MQIACH_BUFFERS_SENT MQIACH_BYTES_RCVD MQIACH_BYTES_SENT "
    "MQIACH_CHANNEL_STATUS MQIACH_MSGS "
    "MQIACH_BATCHES MQIACH_CURRENT_MSGS MQIACH_INDOUBT_STATUS"
)
DATADOG = (
    Inquiry(
        "INQUIRE_Q",
        {QUEUE: b"*", CMQC.MQIA_Q_TYPE: CMQC.MQQT_LOCAL},
        "MQIA_Q_SERVICE_INTERVAL MQIA_INHIBIT_PUT MQIA_INHIBIT_GET MQIA_Q_DEPTH_LOW_LIMIT "
        "MQIA_HARDEN_GET_BACKOUT "
        "MQIA_Q_SERVICE_INTERVAL_EVENT MQIA_TRIGGER_CONTROL MQIA_USAGE MQIA_SCOPE MQIA_Q_TYPE "
        "MQIA_MAX_Q_DEPTH "
        "MQIA_BACKOUT_THRESHOLD MQIA_Q_DEPTH_HIGH_EVENT MQIA_Q_DEPTH_LOW_EVENT "
        "MQIA_TRIGGER_MSG_PRIORITY "
        "MQIA_CURRENT_Q_DEPTH MQIA_Q_DEPTH_MAX_EVENT MQIA_OPEN_INPUT_COUNT MQIA_DEF_PERSISTENCE "
        "MQIA_TRIGGER_DEPTH "
        "MQIA_MAX_MSG_LENGTH MQIA_Q_DEPTH_HIGH_LIMIT MQIA_DEF_PRIORITY MQIA_DEF_INPUT_OPEN_OPTION "
        "MQIA_MSG_DELIVERY_SEQUENCE MQIA_RETENTION_INTERVAL MQIA_OPEN_OUTPUT_COUNT "
        "MQIA_TRIGGER_TYPE",
    ),
    Inquiry("INQUIRE_Q", {QUEUE: b"*", CMQC.MQIA_Q_TYPE: CMQC.MQQT_MODEL}, "MQIA_Q_TYPE"),
    Inquiry(
        "INQUIRE_Q",
        {QUEUE: b"ORDERS", CMQC.MQIA_Q_TYPE: CMQC.MQQT_ALL},
        "MQIA_CURRENT_Q_DEPTH",
    ),
    Inquiry(
        "INQUIRE_Q_STATUS",
        {
            QUEUE: b"ORDERS",
            CMQC.MQIA_Q_TYPE: CMQC.MQQT_ALL,
            CMQCFC.MQIACF_Q_STATUS_ATTRS: CMQCFC.MQIACF_ALL,
        },
        STATUS,
    ),
    Inquiry(
        "RESET_Q_STATS",
        {QUEUE: b"ORDERS"},
        "MQIA_HIGH_Q_DEPTH MQIA_MSG_DEQ_COUNT MQIA_MSG_ENQ_COUNT MQIA_TIME_SINCE_RESET",
    ),
    Inquiry("INQUIRE_CHANNEL", {CHANNEL: b"*"}, CHANNELS),
    Inquiry("INQUIRE_CHANNEL_STATUS", {CHANNEL: b"*"}, RUNNING),
    Inquiry("INQUIRE_CHANNEL_STATUS", {CHANNEL: b"NONE"}),
    Inquiry("INQUIRE_Q_MGR", {CMQCFC.MQIACF_Q_MGR_ATTRS: [CMQC.MQCA_VERSION]}, "MQCA_VERSION"),
)
IBM = (
    Inquiry(
        "INQUIRE_Q_STATUS",
        {QUEUE: b"*", CMQCFC.MQIACF_Q_STATUS_TYPE: CMQCFC.MQIACF_Q_STATUS},
        STATUS,
    ),
    Inquiry(
        "INQUIRE_Q",
        {
            QUEUE: b"ORD*",
            CMQCFC.MQIACF_Q_ATTRS: [
                *(CMQC.MQIA_MAX_Q_DEPTH, CMQC.MQIA_USAGE, CMQC.MQIA_DEFINITION_TYPE),
                *(CMQC.MQCA_Q_DESC, CMQC.MQCA_CLUSTER_NAME, CMQC.MQCA_CUSTOM),
            ],
        },
        "MQIA_MAX_Q_DEPTH MQIA_USAGE MQIA_DEFINITION_TYPE",
    ),
    Inquiry("RESET_Q_STATS", {QUEUE: b"*"}, "MQIA_MSG_ENQ_COUNT"),
    Inquiry(
        "INQUIRE_CHANNEL",
        {
            CHANNEL: b"*",
            CMQCFC.MQIACF_CHANNEL_ATTRS: [
                *(CMQCFC.MQIACH_MAX_INSTANCES, CMQCFC.MQIACH_MAX_INSTS_PER_CLIENT),
                *(CMQCFC.MQCACH_DESC, CMQCFC.MQIACH_CHANNEL_TYPE),
            ],
        },
        "MQIACH_CHANNEL_TYPE",
    ),
    Inquiry(
        "INQUIRE_CHANNEL_STATUS",
        {CHANNEL: b"*", CMQCFC.MQIACH_CHANNEL_INSTANCE_TYPE: CMQC.MQOT_CURRENT_CHANNEL},
        RUNNING,
    ),
    Inquiry(
        "INQUIRE_CHANNEL_STATUS",
        {CHANNEL: b"*", CMQCFC.MQIACH_CHANNEL_INSTANCE_TYPE: CMQC.MQOT_SAVED_CHANNEL},
    ),
    Inquiry("INQUIRE_LISTENER_STATUS", {CMQCFC.MQCACH_LISTENER_NAME: b"*"}),
    Inquiry("INQUIRE_SERVICE_STATUS", {CMQC.MQCA_SERVICE_NAME: b"*"}),
    Inquiry(
        "INQUIRE_Q_MGR_STATUS",
        {},
        "MQIACF_CONNECTION_COUNT MQIACF_CHINIT_STATUS MQIACF_CMD_SERVER_STATUS MQIACF_Q_MGR_STATUS",
    ),
    *(
        Inquiry(
            "INQUIRE_TOPIC_STATUS",
            {CMQC.MQCA_TOPIC_STRING: b"#", CMQCFC.MQIACF_TOPIC_STATUS_TYPE: each},
        )
        for each in (CMQCFC.MQIACF_TOPIC_SUB, CMQCFC.MQIACF_TOPIC_PUB, CMQCFC.MQIACF_TOPIC_STATUS)
    ),
    Inquiry("INQUIRE_SUB_STATUS", {CMQCFC.MQCACF_SUB_NAME: b"*"}),
    Inquiry("INQUIRE_CLUSTER_Q_MGR", {CMQC.MQCA_CLUSTER_Q_MGR_NAME: b"*"}),
)


def connected() -> Any:
    """As a client with a password, although the store has no network."""
    channel = pymqi.CD(Version=11)
    channel.ChannelName, channel.ConnectionName = b"ADMIN.SVRCONN", b"localhost(1414)"
    channel.ChannelType, channel.TransportType = CMQC.MQCHT_CLNTCONN, CMQC.MQXPT_TCP
    manager = pymqi.QueueManager(None)
    manager.connect_with_options("QM1", user="collector", password="secret", cd=channel)
    return manager


def value(name: str, found: Mapping[int, Any]) -> Any:
    """What an answer says of an attribute, by the name of its constant."""
    return found.get(getattr(CMQC, name, None) or getattr(CMQCFC, name))


def answered(manager: Any, inquiry: Inquiry) -> list[str]:
    pcf = pymqi.PCFExecute(manager, response_wait_interval=10_000, convert=True)
    try:
        answers = getattr(pcf, f"MQCMD_{inquiry.command}")(inquiry.parameters)
    except pymqi.MQMIError as error:
        return [f"reason {error.reason}"]
    finally:
        pcf.disconnect()
    (found,) = [each for each in answers if name_of(each) in OBJECTS] or [answers[0]]
    return [f"{name.partition('_')[2]}={value(name, found)}" for name in inquiry.read.split()]


def name_of(found: Mapping[int, Any]) -> bytes:
    return bytes(found.get(QUEUE) or found.get(CHANNEL) or b"").strip()


def main() -> None:
    manager = connected()
    print("MQINQ", manager.inquire(CMQC.MQIA_DIST_LISTS), manager.inquire(CMQC.MQIA_MAX_MSG_LENGTH))
    statistics = pymqi.Queue(manager, "SYSTEM.ADMIN.STATISTICS.QUEUE")
    try:
        statistics.get()
    except pymqi.MQMIError as error:
        print("MQGET reason", error.reason)
    for inquiry in (*DATADOG, *IBM):
        print(inquiry.command, *answered(manager, inquiry))
    manager.disconnect()


if __name__ == "__main__":
    main()
