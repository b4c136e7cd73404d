"""Types that many attributes of status have, and attributes of channels, which CLUSQMGR shows too."""

from mqsc.store.catalog.attribute import Attribute
from mqsc.store.catalog.object_kind import displayed
from mqsc.store.catalog.objects.channels import CHANNEL
from mqsc.store.catalog.types import Name, Number, Text, Word

ANY_TEXT = Text(1024)
COUNT = Number(0, 999999999)
LEVEL = Word(("OFF", "LOW", "MEDIUM", "HIGH"))
NAME = Name(48)
# The number would mean another process here.
PROCESS_HELP = "The process ID of the program; 0 if it runs in another container or machine."
YES_OR_NO = Word(("NO", "YES"))


def of_channel(keyword: str) -> Attribute:
    """An attribute of the channel to a cluster queue manager, as DISPLAY CLUSQMGR shows it."""
    row = CHANNEL.attributes[keyword]
    return displayed(keyword, row.type, row.help)
