"""The text of an error in the options and arguments of a command."""

import re

import click

# How click begins the message about a value that is none of the choices.
_NO_CHOICE = re.compile(r"'(.*)' is not one of ", re.DOTALL)


def usage_error_text(error: click.UsageError) -> str:
    """The text of click, but for an unknown option or choice with those that may have been
    mistyped.

    Click also suggests options that only look like it, and may do the opposite.
    """
    if isinstance(error, click.BadParameter) and error.param is not None:
        return _with_near_choice(error, error.param.type)
    if not isinstance(error, click.NoSuchOption):
        return error.format_message()
    from mqsc.store.catalog.spelling import corrections, did_you_mean

    near = did_you_mean(corrections(error.option_name, _options_of(error.ctx)))
    suggestion = f"; {near}" if near else "."
    return f"No such option '{error.option_name}'{suggestion}"


def _with_near_choice(error: click.BadParameter, type: object) -> str:
    """The text of click, which lists the choices, with the one that may have been mistyped."""
    text = error.format_message()
    match = _NO_CHOICE.search(error.message)
    if match is None or not isinstance(type, click.Choice):
        return text
    from mqsc.store.catalog.spelling import corrections, suggesting

    near = corrections(match[1], [str(each) for each in type.choices])
    return suggesting(near[0], text) if near else text


def _options_of(context: click.Context | None) -> list[str]:
    """The long options of the command."""
    if context is None:
        return []
    parameters = context.command.get_params(context)
    options = [each for each in parameters if isinstance(each, click.Option) and not each.hidden]
    words = [word for option in options for word in (*option.opts, *option.secondary_opts)]
    return [word for word in words if word.startswith("--")]
