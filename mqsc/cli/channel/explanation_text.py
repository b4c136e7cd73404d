"""The explanation of `mqsc channel explain` as text."""

from collections.abc import Callable, Iterator, Mapping

from mqsc.channels.forecast import Destiny, Forecast, NextMessage, PartnerFacts
from mqsc.console.parameters import iso
from mqsc.console.terminal import wrapped
from mqsc.console.text.reasons import counted, name_of_code, reason_text
from mqsc.language.reply import SUCCESS_MESSAGES, failed, message_line
from mqsc.store.admin.channel import display, explanation
from mqsc.store.constants import MQCHS, MQTT
from mqsc.store.environment import MICROSECONDS
from mqsc.store.error import MQError
from mqsc.store.rules.channel.command_refusals import ACTIVE
from mqsc.store.rules.channel.retries import RetriesLeft
from mqsc.store.rules.channel.undeliverable import NOT_NAMED, Action
from mqsc.store.rules.poison_message import LEADS_BACK
from mqsc.store.sql.rows import ChannelFaultRow

INDENT = "  "
_NOBODY_RUNS = {
    "SVRCONN": "Clients that name it run this channel: DISPLAY CHSTATUS lists their connections.",
    "CLNTCONN": "Clients are not served here, so nothing runs this channel.",
    **dict.fromkeys(
        ("CLUSSDR", "CLUSRCVR"),
        "There are no clusters here, so nothing runs this channel.",
    ),
}


def explanation_lines(
    facts: explanation.ChannelFacts,
    forecast: Forecast | None,
    width: int,
) -> Iterator[str]:
    """The explanation, wrapped at `width`. `forecast` is that of a sending end, else None."""
    yield from wrapped(_heading(facts), width, hanging=INDENT)
    for heading, lines in _sections(facts, forecast):
        if not lines:
            continue
        yield ""
        yield heading
        for line in lines:
            yield from wrapped(line, width, INDENT, hanging=INDENT * 2)


def _sections(
    facts: explanation.ChannelFacts,
    forecast: Forecast | None,
) -> Iterator[tuple[str, list[str]]]:
    yield "Status", [*_status(facts, forecast)]
    yield "In doubt", [line for each in facts.doubt for line in _doubt(facts, each, forecast)]
    yield "Started by", [*starters(facts)]
    if forecast is not None and facts.definition["CONNAME"]:
        yield "Partner", [*_partner(facts, forecast.partner)]
    if forecast is not None and facts.queue is not None:
        yield "Next message", [*_next(facts, forecast)]
    yield (
        "Commands",
        [f"{each.command:<8} {answer_line(facts, forecast, each)}" for each in facts.answers],
    )
    yield "Faults set by `mqsc channel fault`", [_fault(each) for each in facts.faults]


def _fault(fault: ChannelFaultRow) -> str:
    delay = f" {fault.milliseconds} ms" if fault.milliseconds else ""
    return f"{fault.action}{delay} at {fault.step or 'any step'}"


def _heading(facts: explanation.ChannelFacts) -> str:
    words = [f"{facts.name} ({facts.type}) at {facts.qmgr}, {iso(facts.at)}"]
    for keyword in ("CONNAME", "XMITQ"):
        if facts.definition.get(keyword):
            words.append(f"{keyword}({facts.definition[keyword]})")
    return ", ".join(words)


def _status(facts: explanation.ChannelFacts, forecast: Forecast | None) -> Iterator[str]:
    if facts.type in _NOBODY_RUNS:
        yield _NOBODY_RUNS[facts.type]
    if not facts.running:
        yield f"The queue manager {facts.qmgr} does not run; nor do its channels."
    if not facts.instances:
        yield "INACTIVE: no program runs it, and nothing is due."
    for each in facts.instances:
        yield from _instance(facts, each)
    if facts.last_end is not None and not any(
        each.instance.status in ACTIVE for each in facts.instances
    ):
        yield f"Last end {iso(facts.last_end.at)}: {_last_end(facts)}"


def _last_end(facts: explanation.ChannelFacts) -> str:
    assert facts.last_end is not None
    message, reason = facts.last_end.message, facts.last_end.reason
    if not message:
        return (
            "STOP CHANNEL."
            if facts.last_end.cause == "stopped"
            else "the program that ran it was killed."
        )
    number = (
        f" ({reason} {' '.join(name_of_code(reason))})"
        if reason and str(reason) not in message
        else ""
    )
    return f"{message}{number}"


def _instance(facts: explanation.ChannelFacts, instance: explanation.Instance) -> Iterator[str]:
    row = instance.instance
    caller = f" called by {row.partner}" if row.partner else ""
    substate = f" ({row.figures['SUBSTATE']})" if row.figures.get("SUBSTATE") else ""
    meaning = _active(instance) if row.status in ACTIVE else _AT_REST[row.status](facts, instance)
    yield f"{row.status.name}{substate}{caller}: {meaning}"
    if row.requested in _STOPS and row.status in ACTIVE:
        after = row.requested_status or "STOPPED"
        yield (
            f"STOP CHANNEL MODE({row.requested}) was asked for; {_STOPS[row.requested]}, then it "
            f"is {after}."
        )


_STOPS = {
    "QUIESCE": "it ends after its batch",
    "FORCE": "it ends at its next step",
    "TERMINATE": "it ends at its next step",
}


def _active(instance: explanation.Instance) -> str:
    figures = instance.instance.figures
    who = (
        "no program runs it" if instance.process is None else f"process {instance.process} runs it"
    )
    bound = f", bound to {figures['RQMNAME']}" if figures.get("RQMNAME") else ""
    waits = {"MQGET": "for a message", "RECEIVE": "for the sender", "MQPUT": "to try a put again"}
    what = waits.get(str(figures.get("SUBSTATE", ""))) if not figures.get("CURMSGS") else None
    return f"{who}{bound}{f'; it waits {what}' if what else ''}."


def _starting(facts: explanation.ChannelFacts, instance: explanation.Instance) -> str:
    if not facts.initiators:
        return (
            f"START CHANNEL was accepted, but no channel initiator reads {facts.initiation_queue}."
        )
    return "START CHANNEL was accepted; the channel initiator starts it."


def _retrying(facts: explanation.ChannelFacts, instance: explanation.Instance) -> str:
    left = retries_left(instance)
    retries = (
        f"{left.short} short and {left.long} long retries are left" if left else "retries are left"
    )
    if instance.instance.retry_at is None:
        return f"the next attempt is due now; {retries}."
    seconds = (instance.instance.retry_at - facts.at) / MICROSECONDS
    when = f"in {seconds:.0f} s" if seconds > 0 else "due now"
    clock = " by its manual clock" if facts.manual_clock else ""
    who = "" if facts.initiators else f", but no channel initiator reads {facts.initiation_queue}"
    return (
        f"the next attempt is at {iso(instance.instance.retry_at)} ({when}{clock}){who}; {retries}."
    )


def retries_left(instance: explanation.Instance) -> RetriesLeft | None:
    figures = instance.instance.figures
    if "SHORTRTS" not in figures or "LONGRTS" not in figures:
        return None
    return RetriesLeft(int(figures["SHORTRTS"]), int(figures["LONGRTS"]))


def _stopped(facts: explanation.ChannelFacts, instance: explanation.Instance) -> str:
    left = retries_left(instance)
    why = ""
    if left is not None and left.is_exhausted:
        why = "all retries were used up; "
    if not facts.runs_here:
        return f"{why}it answers no call until START CHANNEL({facts.name})."
    queue = (
        ", which also gives back GET and TRIGGER of the transmission queue" if facts.sends else ""
    )
    return (
        f"{why}nothing starts it but START CHANNEL({facts.name}){queue}, or `mqsc channel run "
        f"{facts.name}`."
    )


_AT_REST: Mapping[MQCHS, Callable[[explanation.ChannelFacts, explanation.Instance], str]] = {
    MQCHS.STARTING: _starting,
    MQCHS.RETRYING: _retrying,
    MQCHS.STOPPED: _stopped,
    MQCHS.INACTIVE: lambda facts, each: "no program runs it.",
}


def _doubt(
    facts: explanation.ChannelFacts,
    batch: explanation.BatchInDoubt,
    forecast: Forecast | None,
) -> Iterator[str]:
    messages = counted(batch.messages, "message")
    yield f"Batch {batch.luwid} of {messages}, since {iso(batch.since)}."
    for each in batch.first:
        yield f"  {_name_of(each)}"
    if batch.messages > len(batch.first) > 0:
        yield f"  and {batch.messages - len(batch.first)} more"
    queue = facts.definition.get("XMITQ")
    yield from _verdict(facts, batch, forecast)
    yield f"RESOLVE CHANNEL({facts.name}) ACTION(COMMIT) deletes {messages} from {queue}."
    yield (
        f"RESOLVE CHANNEL({facts.name}) ACTION(BACKOUT) puts {messages} back on {queue}, to be "
        "sent again."
    )


def _name_of(message: explanation.DoubtfulMessage) -> str:
    if not message.msg_id:
        return "a message without a valid transmission header"
    length = counted(message.length, "byte")
    return (
        f"{message.msg_id.hex().upper()} for {message.queue} at {message.queue_manager}, {length}"
    )


def _verdict(
    facts: explanation.ChannelFacts,
    batch: explanation.BatchInDoubt,
    forecast: Forecast | None,
) -> Iterator[str]:
    """What the record of the partner says about the batch, and which decision follows."""
    if forecast is None or forecast.partner.luwid is None:
        yield "The partner cannot be asked whether it has committed the batch."
        return
    partner = forecast.partner
    if batch.luwid in partner.strange:
        yield f"CONNAME leads to {partner.name}, but {partner.strange[batch.luwid]}."
        yield (
            "So it is not known whether the batch was committed. A start would fail with AMQ9507E."
        )
        return
    if partner.luwid == batch.luwid:
        yield f"The record at {partner.name} has this batch: {partner.name} has committed it."
        yield "The next start commits it; so should you. BACKOUT would deliver the messages twice."
        return
    last = f"batch {partner.luwid}, message {partner.sequence}" if partner.luwid else "no batch"
    yield f"The record at {partner.name} has {last}: {partner.name} has not committed this batch."
    yield (
        "The next start backs it out, and sends it again; so should you. COMMIT would lose the "
        "messages."
    )


def starters(facts: explanation.ChannelFacts) -> Iterator[str]:
    if not facts.runs_here:
        if facts.type in ("RCVR",):
            yield "Its partner calls it; no program here starts it."
        return
    if facts.type == "SVR" and not facts.definition["CONNAME"]:
        yield "Its partner, a requester, calls it: CONNAME is blank."
        return
    yield f"`mqsc channel run {facts.name}`, or `runmqchl -c {facts.name}`."
    yield _initiator(facts)
    if facts.sends:
        yield _trigger(facts)


def _initiator(facts: explanation.ChannelFacts) -> str:
    if facts.initiators:
        numbers = ", ".join(map(str, facts.initiators))
        return f"A channel initiator: process {numbers} reads {facts.initiation_queue}."
    queue = facts.initiation_queue
    return f"No channel initiator reads {queue}: use `mqsc serve`, or `runmqchi -q {queue}`."


def _trigger(facts: explanation.ChannelFacts) -> str:
    queue = facts.queue
    if queue is None:
        return f"Its transmission queue {facts.definition.get('XMITQ')} is missing."
    if not queue.is_transmission:
        return f"{queue.name} is not a transmission queue: it has USAGE(NORMAL)."
    if not queue.initiation_queue:
        return f"A message on {queue.name} starts nothing: its INITQ is blank."
    return (
        f"Messages on {queue.name}: {_trigger_words(facts)} (`mqsc trigger explain {queue.name}` "
        "says more)."
    )


def _trigger_words(facts: explanation.ChannelFacts) -> str:
    queue = facts.queue
    assert queue is not None
    if not queue.trigger_on:
        return f"NOTRIGGER, so none starts it, although INITQ is {queue.initiation_queue}"
    data = queue.trigger_data.strip()
    if data and data != facts.name:
        return f"TRIGGER, but TRIGDATA({data}) names another channel"
    return f"TRIGGER TRIGTYPE({MQTT(queue.trigger_type).name}) INITQ({queue.initiation_queue})"


def _partner(facts: explanation.ChannelFacts, partner: PartnerFacts) -> Iterator[str]:
    if not partner.name:
        yield f"Cannot be reached: {partner.refusal}"
        return
    if partner.refusal:
        yield f"{partner.name} was found, but a start would fail now: {partner.refusal}"
    else:
        yield f"{partner.name} was found, and answers."
    if partner.luwid:
        own = (
            f"; the last one committed here is {facts.sequence}"
            if facts.sequence is not None
            else ""
        )
        yield f"Its record says that message {partner.sequence} was the last{own}."


def _next(facts: explanation.ChannelFacts, forecast: Forecast) -> Iterator[str]:
    queue, message = facts.queue, forecast.next
    assert queue is not None
    if not queue.get_enabled:
        yield f"{queue.name} has GET(DISABLED): the channel could not get it."
    if message is None:
        if facts.doubt:
            yield f"{queue.name} has no message but those in doubt."
        else:
            yield (
                f"{queue.name} is empty."
                if not queue.depth
                else f"No message on {queue.name} can be got now."
            )
        return
    if message.expired:
        yield f"{counted(message.expired, 'message')} before it expired; the channel discards them."
    kind = _kind_of(message)
    where = f" for {message.queue} at {message.queue_manager}" if message.queue else ""
    yield f"{message.msg_id.hex().upper()}{where}, {counted(message.length, 'byte')}, {kind}"
    if message.destiny is None:
        yield "What becomes of it is not known while the partner cannot be asked."
    else:
        yield _destiny(facts, forecast, message, message.destiny)


def _kind_of(message: NextMessage) -> str:
    """Whether the message is persistent, or how fast a channel may send it."""
    if message.persistent:
        return "persistent"
    return "fast" if message.fast else "non-persistent"


def _destiny(
    facts: explanation.ChannelFacts,
    forecast: Forecast,
    message: NextMessage,
    destiny: Destiny,
) -> str:
    who = facts.qmgr if destiny.where == display.SENDER else forecast.partner.name
    if destiny.action is None:
        return f"{who} would put it on {destiny.target}."
    refused = (
        f"{who} would not put it" if destiny.where != display.SENDER else f"{who} would not send it"
    )
    parts = [f"{refused}: {reason_text(destiny.reason).rstrip('.')}."]
    parts.append(_ACTIONS[destiny.action].format(target=destiny.target, channel=facts.name))
    parts.append(_why_no_dead_letter(destiny))
    if destiny.retries:
        parts.append(
            f"Before that, {who} would try {counted(destiny.retries, 'time')} more (MRRTY).",
        )
    if destiny.reports:
        parts.append("An exception report would go to its reply queue.")
    return " ".join(filter(None, parts))


_ACTIONS = {
    Action.DEAD_LETTER: "It would go to the dead-letter queue {target}.",
    Action.DISCARD: "It would be discarded, as its report options ask for.",
    Action.DROP: "It would be discarded, because it is a fast message.",
    Action.END: "Channel {channel} would end, and keep it.",
    Action.EXPIRE: "It would be discarded as expired.",
    Action.RETRY: "It would be tried again.",
}


def _why_no_dead_letter(destiny: Destiny) -> str:
    """Why the dead-letter queue does not take it; blank when it does, or is not used."""
    if destiny.action is Action.DEAD_LETTER or destiny.action is Action.DISCARD:
        return ""
    if destiny.dead_letter == NOT_NAMED:
        return "There is no dead-letter queue (DEADQ is blank)."
    if destiny.dead_letter == LEADS_BACK:
        return f"The dead-letter queue {destiny.target} leads back to the transmission queue."
    if destiny.dead_letter:
        return (
            f"The dead-letter queue {destiny.target} refuses it: "
            f"{reason_text(destiny.dead_letter).rstrip('.')}."
        )
    return "USEDLQ(NO) keeps it off the dead-letter queue."


def answer_line(
    facts: explanation.ChannelFacts,
    forecast: Forecast | None,
    answer: explanation.CommandForecast,
) -> str:
    """The message, with its id, with which a command would be answered now."""
    if not facts.running:
        return message_line("AMQ8146E", facts.qmgr)
    if answer.refusal is not None:
        refused = failed(MQError(answer.refusal, answer.name))
        return f"{refused.message_id}: {refused.text.splitlines()[0]}"
    if answer.command == "PING" and forecast is not None and forecast.partner.refusal:
        return forecast.partner.refusal
    return message_line(SUCCESS_MESSAGES[answer.command, "channel"], answer.name)
