"""MQSUB and MQSUBRQ."""

from collections.abc import Mapping
from typing import Any

from mqsc.clients.memory_strings import variable_string, written
from mqsc.clients.process import LinkedConnection
from mqsc.clients.structures import MQSD, MQSRO
from mqsc.store.client.subscription import Subscription
from mqsc.store.constants import MQRC, MQSO
from mqsc.store.error import MQError, required
from mqsc.store.headers.character_sets import codec_of
from mqsc.store.headers.layout import NATIVE
from mqsc.store.subscription_descriptor import SubscriptionDescriptor

_MANAGED = int(MQSO.MANAGED)
# The reason for a string of an MQSD that cannot be read.
_STRINGS = {
    "object_string": int(MQRC.OBJECT_STRING_ERROR),
    "sub_name": int(MQRC.SUB_NAME_ERROR),
    "sub_user_data": int(MQRC.SUB_USER_DATA_ERROR),
    "selection_string": int(MQRC.SELECTION_STRING_ERROR),
}


def text_of(fields: Mapping[str, Any], name: str, structure: bytes, error: int) -> str:
    """A string of variable length as text. MQError `error` if it is wrong, 2111 for a CCSID that is
    not known.
    """
    data = variable_string(fields, name, structure, error)
    # Negative: that of the application, as 0 is that of the queue manager.
    ccsid = max(fields.get(f"{name}_ccsid", 0), 0)
    codec = required(codec_of(ccsid, NATIVE), MQRC.SOURCE_CCSID_ERROR)
    try:
        return data.decode(codec)
    except UnicodeDecodeError:
        raise MQError(error) from None


def subscribe(
    linked: LinkedConnection, descriptor: bytes, number: int
) -> tuple[bytes, int, int, int, int]:
    """MQSUB: the MQSD as the call leaves it, and the numbers of the handles of queue and
    subscription.
    """
    fields = MQSD.read(descriptor)
    texts = {name: text_of(fields, name, descriptor, error) for name, error in _STRINGS.items()}
    wanted = SubscriptionDescriptor(
        fields["options"],
        fields["object_name"],
        texts["object_string"],
        texts["sub_name"],
        fields["alternate_user_id"],
        fields["sub_expiry"],
        texts["sub_user_data"],
        fields["sub_correl_id"],
        fields["pub_priority"],
        fields["pub_accounting_token"],
        fields["pub_appl_identity_data"],
        texts["selection_string"],
        fields["sub_level"],
    )
    queue = None if fields["options"] & _MANAGED else linked.objects.get(number)
    subscription = linked.connection.subscribe(wanted, queue)
    of_queue = subscription.queue
    if of_queue is not None and of_queue is not queue:
        number = linked.add(of_queue)
    return _filled(descriptor, fields, subscription), number, linked.add(subscription), 0, 0


def _filled(descriptor: bytes, fields: Mapping[str, Any], subscription: Subscription) -> bytes:
    """The MQSD with what the subscription is."""
    found = subscription.descriptor
    resolved = written(
        fields, "res_object_string", found.object_string.encode(), MQRC.RES_OBJECT_STRING_ERROR
    )
    user_data = written(fields, "sub_user_data", found.user_data.encode(), MQRC.SUB_USER_DATA_ERROR)
    return MQSD.write(
        descriptor,
        options=found.options,
        object_name=found.object_name,
        sub_expiry=found.expiry,
        sub_correl_id=found.correl_id,
        pub_priority=found.priority,
        pub_accounting_token=found.accounting_token,
        pub_appl_identity_data=found.appl_identity_data,
        sub_level=found.level,
        **resolved,
        **user_data,
    )


def request_publications(
    linked: LinkedConnection, number: int, action: int, options: bytes
) -> tuple[bytes, int, int]:
    """MQSUBRQ: the MQSRO with NumPubs."""
    fields = MQSRO.read(options)
    subscription = required(linked.subscriptions.get(number), MQRC.HOBJ_ERROR)
    count = subscription.request(action, fields["options"])
    return MQSRO.write(options, num_pubs=count), 0, 0
