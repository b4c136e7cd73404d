"""The verbs of scenarios about a queue-sharing group, in addition to those of `play` and
`poison_play`.

QM3: leave · QM3: join                 leaves QSG1, or joins it, while the queue manager has ended
QM1: leave => "...in doubt..."         the text of the refusal create QM4 · create QM5 alone
another member of QSG1, or a queue manager outside QM2: gets 7 from SQ                    several
gets QM2: killed                            the program is gone, and the next one will notice new
INIT => 0 1 1                      how many messages more than at the last look are on that queue at
each member about SQ => QSG1/PUT/QM2               owner, kind and acting member of the events about
a queue
"""

from __future__ import annotations

import json
from functools import partial

from sqlalchemy import bindparam, select

from mqsc.store.client.store import Store
from mqsc.store.error import SharingGroupError
from mqsc.store.sql.core.compiling import text_of
from mqsc.store.sql.core.schema import event
from mqsc.store.sqlite.database import Reading
from tests.scenarios.looking import curdepth
from tests.scenarios.play import done
from tests.scenarios.poison_play import PoisonPlay
from tests.scenarios.words import Outcome, is_like

STRUCTURE = "DEFINE CFSTRUCT(APPL1) CFLEVEL(5) RECOVER(YES)"
SHARED_QUEUE = "DEFINE QLOCAL(SQ) QSGDISP(SHARED) CFSTRUCT(APPL1)"
_ABOUT = text_of(
    select(event.c.qmgr, event.c.kind, event.c.detail)
    .where(event.c.queue == bindparam("queue"))
    .order_by(event.c.seq),
)


class GroupPlay(PoisonPlay):
    """QM1, QM2 and QM3 of QSG1, with the structure APPL1 and the shared queue SQ; the store may
    have them already.
    """

    def __init__(self, store: Store) -> None:
        names, is_new = ("QM1", "QM2", "QM3"), not store.queue_managers()
        make = partial(store.create_queue_manager, group="QSG1") if is_new else store.queue_manager
        super().__init__(*map(make, names))
        self.store = store
        self.seen = dict.fromkeys(self.managers, 0)
        if is_new:
            self.run(f"{STRUCTURE}\n{SHARED_QUEUE}")

    def _leave(self, who: str, words: list[str]) -> Outcome:
        try:
            self.store.leave_group(self.at(who).name)
        except SharingGroupError as error:
            refused = str(error)
            return lambda wanted: wanted if is_like(wanted[0], refused) else [refused]
        return done

    def _join(self, who: str, words: list[str]) -> Outcome:
        self.store.join_group(self.at(who).name, "QSG1")
        return done

    def _create(self, who: str, words: list[str]) -> Outcome:
        group = "" if words[1:] else "QSG1"
        self.managers[words[0]] = self.store.create_queue_manager(words[0], group=group)
        return done

    def _gets(self, who: str, words: list[str]) -> Outcome:
        for _ in range(int(words[0])):
            self._get(who, words[1:])
        return done

    def _new(self, who: str, words: list[str]) -> Outcome:
        depths = {name: curdepth(qmgr, words[0]) for name, qmgr in self.managers.items()}
        more = [str(depth - self.seen[name]) for name, depth in depths.items()]
        self.seen = depths
        return lambda wanted: wanted if wanted == ["0/0"] else more

    def _killed(self, who: str, words: list[str]) -> Outcome:
        self.store.abandoned.append(self.forget(who).number)
        return done

    def _about(self, who: str, words: list[str]) -> Outcome:
        with Reading(self.store.database) as reading:
            rows = reading.all(_ABOUT, {"queue": words[0]})
        return lambda wanted: [
            f"{qmgr}/{kind}/{json.loads(detail)['member']}" for qmgr, kind, detail in rows
        ]
