"""What a plan for a queue manager elsewhere adds to one for a queue manager here: attributes that
the catalog does not know, compared as text, and secrets, which cannot be compared (targets §3).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from mqsc.console.elsewhere import Elsewhere, UnknownAttributes
from mqsc.language.request import Request
from mqsc.language.secrets import HIDDEN
from mqsc.plan import Action, Changes, ObjectKey, Planned, object_key
from mqsc.scripts.declarations import DeclaredCommand, keys_of, selected_definitions
from mqsc.scripts.export import DefinitionKey, definitions
from mqsc.scripts.planning import ApplyPlan
from mqsc.scripts.selection import EVERYTHING, Selection
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager

SECRET = "secret, cannot be compared"


def plan_beyond_catalog(
    plan: ApplyPlan,
    statements: Iterable[DeclaredCommand],
    elsewhere: Elsewhere,
    selection: Selection = EVERYTHING,
) -> ApplyPlan:
    """The plan with the attributes of the files that the catalog does not know, where they are not
    as they are elsewhere.
    """
    changes: dict[ObjectKey, tuple[Request, dict[str, tuple[str | None, str]]]] = {}
    for request in selected_definitions(statements, selection):
        for key in keys_of(request) if request.unknown else ():
            _, of_object = changes.setdefault(_object_key(request, key), (request, {}))
            of_object |= dict(_differences(request, key, elsewhere.unknown))
    rows = map(_without_secrets, plan.rows)
    return replace(plan, rows=tuple(_merged([*rows], changes)))


def _without_secrets(row: Planned) -> Planned:
    """The row without changes of secrets that are only hidden there: no file gives them."""
    attributes = KINDS[row.type].attributes if row.type in KINDS else {}
    hidden = {
        word
        for word, (before, _) in row.changes.items()
        if before == HIDDEN and word in attributes and attributes[word].secret
    }
    if row.action is not Action.UPDATE or not hidden:
        return row
    changes = {word: pair for word, pair in row.changes.items() if word not in hidden}
    return replace(row, changes=changes, action=Action.UPDATE if changes else Action.UNCHANGED)


def _differences(
    request: Request,
    key: DefinitionKey,
    unknown: UnknownAttributes,
) -> Iterator[tuple[str, tuple[str | None, str]]]:
    """The changes of unknown attributes: old and new text by keyword."""
    before = unknown.get(key, {})
    for word, text in request.unknown.items():
        if before.get(word) != text:
            yield word, (before.get(word), text)


def _object_key(request: Request, key: DefinitionKey) -> ObjectKey:
    """The key of the row of a plan for the object of a definition."""
    record = key[2 : 2 + len(request.kinds[0].identity)]
    return (request.kinds[0].keyword, key[1], "", "", *record)


def _merged(
    rows: Sequence[Planned],
    changes: dict[ObjectKey, tuple[Request, dict[str, tuple[str | None, str]]]],
) -> Iterator[Planned]:
    """The rows with the changes of their objects, and rows for objects that had none."""
    left = {key: pair for key, pair in changes.items() if pair[1]}
    for row in rows:
        _, more = left.pop(object_key(row), (None, None))
        yield row if more is None else _with_changes(row, more)
    for key, (request, more) in left.items():
        row = Planned(None, 0, request.text, Action.UPDATE, key[0], key[1], record=key[4:])
        yield _with_changes(row, more)


def _with_changes(row: Planned, more: Changes) -> Planned:
    if row.action not in (Action.UNCHANGED, Action.UPDATE, Action.CREATE):
        return row
    action = Action.UPDATE if row.action is Action.UNCHANGED else row.action
    return replace(row, action=action, text="", changes={**row.changes, **more})


# Secrets.


def uncomparable_secrets(
    qmgr: QueueManager,
    statements: Iterable[DeclaredCommand],
    selection: Selection = EVERYTHING,
) -> dict[ObjectKey, tuple[Request, Changes]]:
    """The secrets that the files give for objects that have one already: by the key of the row of
    the object, the last command and the changes, which are hidden.
    """
    secrets: dict[ObjectKey, tuple[Request, Changes]] = {}
    for request in selected_definitions(statements, selection):
        kind = request.kinds[0]
        words = [word for word in request.attributes if kind.attributes[word].secret]
        for key in keys_of(request) if words else ():
            has = next((each for each in definitions(qmgr, kind, key[1]) if each.key == key), None)
            known = {word for word in words if has is not None and word in has.secrets}
            if known:
                changes = dict.fromkeys(sorted(known), (HIDDEN, HIDDEN))
                secrets[_object_key(request, key)] = request, changes
    return secrets


def with_secrets(
    plan: ApplyPlan,
    secrets: dict[ObjectKey, tuple[Request, Changes]],
) -> ApplyPlan:
    """The plan with an UPDATE of each of these secrets, which says that it cannot be compared."""
    rows = []
    left = dict(secrets)
    for row in plan.rows:
        _, changes = left.pop(object_key(row), (None, None))
        if changes is None or row.action not in (Action.UNCHANGED, Action.UPDATE):
            rows.append(row)
        else:
            rows.append(_with_secret(row, changes))
    for key, (_, changes) in left.items():
        row = Planned(None, 0, "", Action.UPDATE, key[0], key[1], record=key[4:])
        rows.append(_with_secret(row, changes))
    return replace(plan, rows=tuple(rows))


def _with_secret(row: Planned, changes: Changes) -> Planned:
    return replace(row, action=Action.UPDATE, changes={**row.changes, **changes}, text=SECRET)


def secret_sentences(secrets: Iterable[ObjectKey]) -> Iterator[str]:
    """A sentence for each object whose secret cannot be compared."""
    for key in secrets:
        name = f"({key[1]})" if key[1] and key[0] in KINDS else ""
        yield f"{key[0]}{name}: {SECRET}"
