"""The attributes of the status commands: DISPLAY QSTATUS, CONN, CHSTATUS, QMSTATUS ...

They are computed, not stored, and have no defaults. To add one, add its row to the file of its kind
of status, in the place where DISPLAY shows it.
"""

from collections.abc import Mapping

from mqsc.store.catalog.object_kind import Kind
from mqsc.store.catalog.status.authorities import ENTAUTH
from mqsc.store.catalog.status.channels import CHINIT, CHSTATUS, CLUSQMGR
from mqsc.store.catalog.status.programs import APSTATUS, CONN
from mqsc.store.catalog.status.queue_manager import QMSTATUS
from mqsc.store.catalog.status.queue_sharing import CFSTATUS, GROUP
from mqsc.store.catalog.status.queues import QSTATUS
from mqsc.store.catalog.status.services import CMDSERV, LSSTATUS, SVSTATUS
from mqsc.store.catalog.status.topics import PUBSUB, SBSTATUS, TPSTATUS

# What MQ shows of structures only with TYPE(BACKUP) and TYPE(SMDS).
BACKUP_OF_STRUCTURE = (
    "ACCESS BKUPDATE BKUPTIME BKUPSIZE BKUPSRBA BKUPERBA LOGS RCVDATE RCVTIME SMDS".split()
)

_KINDS = (
    QSTATUS,
    CONN,
    CHSTATUS,
    CLUSQMGR,
    LSSTATUS,
    SVSTATUS,
    APSTATUS,
    PUBSUB,
    QMSTATUS,
    TPSTATUS,
    SBSTATUS,
    ENTAUTH,
    CHINIT,
    CFSTATUS,
    GROUP,
    CMDSERV,
)
STATUS_KINDS: Mapping[str, Kind] = {kind.keyword: kind for kind in _KINDS}
