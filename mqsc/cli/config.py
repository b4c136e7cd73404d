"""`mqsc config`: the user's settings."""

from __future__ import annotations

from itertools import chain

from mqsc.console.config import SETTINGS, EffectiveSetting, effective_setting, path
from mqsc.console.json_rows import print_rows
from mqsc.console.options import Choices, command
from mqsc.console.tables import table_lines
from mqsc.console.terminal import columns, printable
from mqsc.store.client.store_url import path_of


@command()
def config(choices: Choices) -> None:
    """Show each setting, its value, and where the value comes from: an option, a variable, the
    file, or the default.

    The file is mqsc/config.toml in your configuration folder, with lines such as format =
    "vertical" or hide_system = true; MQSC_CONFIG names another one.
    """
    rows = {name: effective_setting(name) for name in SETTINGS}
    if choices.store:
        rows["store"] = EffectiveSetting(choices.store, "--store")
    elif not rows["store"].value:
        rows["store"] = EffectiveSetting(path_of(choices.store_url()) or "", "default")
    as_json = (
        {"setting": name, "value": each.value, "from": each.origin} for name, each in rows.items()
    )
    file = f"File: {path()}{'' if path().is_file() else ' (does not exist)'}"
    table = table_lines(
        ["SETTING", "VALUE", "FROM"],
        [*map(_cells, rows, rows.values())],
        columns(),
    )
    print_rows(choices.format, as_json, chain([file], table))


def _cells(name: str, setting: EffectiveSetting) -> list[str]:
    value = str(setting.value).lower() if isinstance(setting.value, bool) else setting.value
    return [name, printable(value), printable(setting.origin)]
