"""What DISPLAY PUBSUB, TPSTATUS and SBSTATUS show, in their order."""

from mqsc.store.catalog.object_kind import displayed, make_kind
from mqsc.store.catalog.status.shared_types import ANY_TEXT, COUNT, NAME, YES_OR_NO
from mqsc.store.catalog.types import DATE, TIME, Hex, Number, Text

_OF_PUBSUB = (
    displayed("TYPE", ANY_TEXT, "The type of connection: LOCAL, PARENT or CHILD."),
    displayed(
        "STATUS", ANY_TEXT, "The state of publish/subscribe; publications are not delivered here."
    ),
    displayed("SUBCOUNT", COUNT, "Subscriptions."),
    displayed("TPCOUNT", COUNT, "Topic strings."),
)
PUBSUB = make_kind(
    "PUBSUB",
    NAME,
    _OF_PUBSUB,
    key=("QMNAME", "TYPE"),
    heading_id="AMQ8723I",
    heading="Display pub/sub status details.",
)

_OF_TPSTATUS = (
    displayed("ADMIN", NAME, "The topic object at this topic string."),
    displayed("CLUSTER", NAME, "The cluster in which the topic is advertised."),
    displayed("COMMINFO", NAME, "The communication information object in effect."),
    displayed("MDURMDL", NAME, "The model queue in effect for managed durable subscriptions."),
    displayed("MNDURMDL", NAME, "The model queue in effect for managed non-durable subscriptions."),
    displayed("DEFPSIST", ANY_TEXT, "The default persistence in effect."),
    displayed("DEFPRTY", COUNT, "The default priority in effect."),
    displayed("DEFPRESP", ANY_TEXT, "The default response type of puts in effect."),
    displayed("DURSUB", ANY_TEXT, "Whether durable subscriptions are allowed."),
    displayed("PUB", ANY_TEXT, "Whether publishing is allowed."),
    displayed("SUB", ANY_TEXT, "Whether subscribing is allowed."),
    displayed("PMSGDLV", ANY_TEXT, "Which subscribers a persistent publication must reach."),
    displayed("NPMSGDLV", ANY_TEXT, "Which subscribers a non-persistent publication must reach."),
    displayed("RETAINED", YES_OR_NO, "Whether a publication is retained."),
    displayed("MCAST", ANY_TEXT, "Whether multicast is used."),
    displayed("PUBCOUNT", COUNT, "The number of publishers."),
    displayed("SUBCOUNT", COUNT, "The number of subscriptions to exactly this topic string."),
    displayed("PUBSCOPE", ANY_TEXT, "Whether publications are sent to other queue managers."),
    displayed(
        "SUBSCOPE", ANY_TEXT, "Whether subscriptions apply to publications of other queue managers."
    ),
    displayed("CLROUTE", ANY_TEXT, "How publications are routed in the cluster."),
    displayed(
        "USEDLQ", ANY_TEXT, "Whether undeliverable publications go to the dead-letter queue."
    ),
    displayed(
        "CAPEXPRY",
        Number(1, 999999999, {"NOLIMIT": -1}),
        "The maximum lifetime of a publication, in tenths of a second.",
    ),
    displayed("SUBID", Hex(48), "The identifier of the subscription."),
    displayed("SUBUSER", ANY_TEXT, "The user ID of the subscription."),
    displayed("SUBTYPE", ANY_TEXT, "How the subscription was created."),
    displayed("DURABLE", YES_OR_NO, "Whether the subscription outlives the program."),
    displayed("NUMMSGS", COUNT, "The number of publications delivered."),
    displayed("RESMDATE", DATE, "The date on which the subscription was resumed."),
    displayed("RESMTIME", TIME, "The time at which the subscription was resumed."),
    displayed("LMSGDATE", DATE, "The date of the last delivered publication."),
    displayed("LMSGTIME", TIME, "The time of the last delivered publication."),
    displayed("ACTCONN", ANY_TEXT, "The connection that uses the subscription."),
    displayed("MCASTREL", ANY_TEXT, "The reliability of multicast."),
    displayed("LPUBDATE", DATE, "The date of the last publication."),
    displayed("LPUBTIME", TIME, "The time of the last publication."),
    displayed("NUMPUBS", COUNT, "The number of publications."),
)
TPSTATUS = make_kind(
    "TPSTATUS",
    Text(10240, varying=True),
    _OF_TPSTATUS,
    key=("TOPICSTR",),
    heading_id="AMQ8754I",
    heading="Display topic status details.",
)

_OF_SBSTATUS = (
    displayed("SUBID", Hex(48), "The internal identifier of the subscription."),
    displayed("SUBUSER", ANY_TEXT, "The user ID of the subscription."),
    displayed("RESMDATE", DATE, "The date on which the subscription was resumed."),
    displayed("RESMTIME", TIME, "The time at which the subscription was resumed."),
    displayed("LMSGDATE", DATE, "The date of the last delivered publication."),
    displayed("LMSGTIME", TIME, "The time of the last delivered publication."),
    displayed("ACTCONN", ANY_TEXT, "The connection that uses the subscription."),
    displayed("DURABLE", YES_OR_NO, "Whether the subscription outlives the program."),
    displayed("MCASTREL", ANY_TEXT, "The reliability of multicast."),
    displayed("NUMMSGS", COUNT, "The number of publications delivered."),
    displayed("SUBTYPE", ANY_TEXT, "How the subscription was created."),
    displayed("TOPICSTR", ANY_TEXT, "The topic string of the subscription."),
)
SBSTATUS = make_kind(
    "SBSTATUS",
    Text(10240, varying=True),
    _OF_SBSTATUS,
    key=("SUBID", "SUB"),
    heading_id="AMQ8099I",
    heading="IBM MQ subscription status inquired.",
)
