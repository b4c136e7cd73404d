"""The text of an error in the options and arguments of a command."""

import click


def usage_error_text(error: click.UsageError) -> str:
    """The text of click, but for an unknown option with those that may have been mistyped.

    Click also suggests options that only look like it, and may do the opposite.
    """
    if not isinstance(error, click.NoSuchOption):
        return error.format_message()
    from mqsc.store.catalog.spelling import corrections

    near = corrections(error.option_name, _options_of(error.ctx))
    suggestion = f"; did you mean {' or '.join(near)}?" if near else "."
    return f"No such option '{error.option_name}'{suggestion}"


def _options_of(context: click.Context | None) -> list[str]:
    """The long options of the command."""
    if context is None:
        return []
    parameters = context.command.get_params(context)
    options = [each for each in parameters if isinstance(each, click.Option) and not each.hidden]
    words = [word for option in options for word in (*option.opts, *option.secondary_opts)]
    return [word for word in words if word.startswith("--")]
