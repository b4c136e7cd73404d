"""`amqspub` and `amqssub`: IBM's sample programs that publish and subscribe."""

from __future__ import annotations

import sys

import click

from mqsc.console.options import choices_of, confirm
from mqsc.console.target import inform_about_manual_clock
from mqsc.ibm.options import ibm_command
from mqsc.ibm.samples import (
    PUT_OR_GET_CODES,
    called,
    client_variant,
    connected,
    failing,
    gotten_messages,
    lines_to_put,
    option_number,
    print_message,
    putting_or_getting,
    text_message,
)
from mqsc.store import GetMessageOptions, PutMessageOptions
from mqsc.store.constants import MQGMO, MQOO, MQOT, MQPMO, MQSO
from mqsc.store.subscription_descriptor import SubscriptionDescriptor

_PUBLISH, _SUBSCRIBE = map(putting_or_getting, ("AMQSPUBA", "AMQSSUBA"))
_SUBSCRIPTION = MQSO.CREATE | MQSO.NON_DURABLE | MQSO.FAIL_IF_QUIESCING | MQSO.MANAGED
# How long amqssub waits for each publication, in seconds.
_WAIT = 30


@ibm_command(
    "amqspub",
    "TopicString [QMgrName [PutOptions]]",
    common=("store", "qmgr", "quiet"),
    codes=PUT_OR_GET_CODES,
)
@click.argument("topic")
@click.argument("qmgr_name", required=False)
@click.argument("putting", required=False)
def amqspub(context: click.Context, topic: str, qmgr_name: str | None, putting: str | None) -> None:
    """Publish each line of standard input to TopicString, until an empty line or the end of input.

    PutOptions is a decimal number (MQPMO). As with IBM's sample, the exit code says only whether it
    could connect: 0, or the reason code modulo 256, such as 11 for 2059.
    """
    options = option_number(context, putting, MQPMO.FAIL_IF_QUIESCING | MQPMO.NO_SYNCPOINT)
    with connected(context, qmgr_name, _PUBLISH) as connection:
        if putting:
            confirm(f"publish options are {options}")
        confirm(f"target topic is {topic}")
        with failing(_PUBLISH, "MQOPEN", "unable to open topic for publish"):
            handle = connection.open(
                "",
                MQOO.OUTPUT | MQOO.FAIL_IF_QUIESCING,
                object_type=MQOT.TOPIC,
                object_string=topic,
            )
        for body in lines_to_put():
            with called(_PUBLISH, "MQPUT"):
                handle.put(text_message(body), PutMessageOptions(options))
        with called(_PUBLISH, "MQCLOSE"):
            handle.close()


@ibm_command(
    "amqssub",
    "TopicString [QMgrName [SubOptions]]",
    common=("store", "qmgr", "quiet"),
    codes=PUT_OR_GET_CODES,
)
@click.argument("topic")
@click.argument("qmgr_name", required=False)
@click.argument("subscribing", required=False)
def amqssub(
    context: click.Context, topic: str, qmgr_name: str | None, subscribing: str | None
) -> None:
    """Subscribe to TopicString and print publications, until none comes for 30 seconds.

    SubOptions is a decimal number (MQSO). As with IBM's sample, the exit code says only whether it
    could connect: 0, or the reason code modulo 256, such as 11 for 2059.
    """
    options = option_number(context, subscribing, _SUBSCRIPTION)
    getting = GetMessageOptions(
        MQGMO.WAIT | MQGMO.NO_SYNCPOINT | MQGMO.FAIL_IF_QUIESCING | MQGMO.NO_PROPERTIES,
        wait_interval=1000 * _WAIT,
    )
    with connected(context, qmgr_name, _SUBSCRIBE) as connection:
        inform_about_manual_clock(choices_of(context), connection.qmgr)
        if subscribing:
            confirm(f"MQSUB SD.Options are {options}")
        with failing(_SUBSCRIBE, "MQSUB", "unable to subscribe to topic"):
            subscription = connection.subscribe(
                SubscriptionDescriptor(options, object_string=topic)
            )
        queue = subscription.queue
        assert queue is not None
        _tell_of_wait()
        for message in gotten_messages(_SUBSCRIBE, queue, getting):
            print_message(message)
            _tell_of_wait()
        confirm("no more messages")


amqspubc, amqssubc = client_variant(amqspub), client_variant(amqssub)


def _tell_of_wait() -> None:
    confirm(f"Calling MQGET : {_WAIT} seconds wait time")
    sys.stdout.flush()
