"""The type of options that name lint rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from mqsc.diagnostic import Description
from mqsc.store.catalog.spelling import corrections, did_you_mean

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_PREFIX = "MQSC-"
_KINDS = ("warning", "note")


class RuleIds(click.ParamType):  # type: ignore[type-arg]
    """Rules by id (MQSC-C08, or without MQSC-) or all of a severity (warning, note), with commas
    between, as ids.
    """

    name = "rules"

    def __init__(self, descriptions: Sequence[Description]) -> None:
        self._known = {
            description.rule_id: description
            for description in descriptions
            if description.severity in _KINDS
        }

    def convert(
        self,
        value: Any,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> frozenset[str]:
        if isinstance(value, frozenset):
            return value
        rule_ids: set[str] = set()
        for word in str(value).split(","):
            rule_ids |= self._named(word.strip(), param, ctx)
        return frozenset(rule_ids)

    def _named(
        self,
        word: str,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> set[str]:
        if word.lower() in _KINDS:
            return {
                rule_id for rule_id, each in self._known.items() if each.severity == word.lower()
            }
        wanted = word.upper()
        for rule_id in (wanted, _PREFIX + wanted):
            if rule_id in self._known:
                return {rule_id}
        near = did_you_mean(corrections(wanted, [*self._known, *_KINDS])[:1])
        self.fail(
            f"{word!r} is not a rule of mqsc check; {near or 'examples: C08, MQSC-C22, note'}",
            param,
            ctx,
        )

    def shell_complete(
        self,
        ctx: click.Context,
        param: click.Parameter,
        incomplete: str,
    ) -> list[CompletionItem]:
        """Complete the last of the rules."""
        from click.shell_completion import CompletionItem

        before, comma, last = incomplete.rpartition(",")
        titles = {rule_id: rule.title for rule_id, rule in self._known.items()} | dict.fromkeys(
            _KINDS,
            "all of them",
        )
        is_short = last and not _PREFIX.startswith(last[: len(_PREFIX)].upper())
        words = {
            word.removeprefix(_PREFIX) if is_short else word: title
            for word, title in titles.items()
        }
        already = before.split(",")
        fitting = (
            word for word in words if word.lower().startswith(last.lower()) and word not in already
        )
        return [CompletionItem(f"{before}{comma}{each}", help=words[each]) for each in fitting]
