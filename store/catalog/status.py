"""The attributes of the status commands: DISPLAY QSTATUS, CONN, CHSTATUS, QMSTATUS ...

They are computed, not stored, and have no defaults. To add one, add a row to status_attributes.csv.
"""

from collections.abc import Mapping

from mqsc.store.catalog.attribute import Attribute, Kind
from mqsc.store.catalog.kinds import KINDS
from mqsc.store.catalog.tables import STATUS_FILES, read_kinds

# What MQ shows of structures only with TYPE(BACKUP) and TYPE(SMDS).
BACKUP_OF_STRUCTURE = (
    "ACCESS BKUPDATE BKUPTIME BKUPSIZE BKUPSRBA BKUPERBA LOGS RCVDATE RCVTIME SMDS".split()
)

# DISPLAY CLUSQMGR also shows the attributes of the channel to the cluster queue manager.
_OF_CHANNEL = (
    Attribute(row.keyword, row.type, None, frozenset({"DISPLAY"}), row.help)
    for row in KINDS["CHANNEL"].attributes.values()
)
STATUS_KINDS: Mapping[str, Kind] = read_kinds(STATUS_FILES, _OF_CHANNEL)
