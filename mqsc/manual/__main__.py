"""`python -m mqsc.manual man DIR`, `site DIR` and `glossary FILE`."""

from pathlib import Path

import click

from mqsc.manual.man_pages import write_man_pages
from mqsc.manual.site import NoSourcesError, glossary_page, write_site

_FOLDER = click.Path(file_okay=False, path_type=Path)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def manual() -> None:
    """Generate the manual pages or the site of mqsc."""


@manual.command()
@click.argument("folder", type=_FOLDER)
def man(folder: Path) -> None:
    """Write a manual page for every command into FOLDER, such as ~/.local/share/man/man1."""
    click.echo(f"{len(write_man_pages(folder))} manual pages written to {folder}")


@manual.command()
@click.argument("folder", type=_FOLDER)
def site(folder: Path) -> None:
    """Build the documentation as a site in FOLDER, with MkDocs: pip install '.[docs]'."""
    try:
        write_site(folder)
    except NoSourcesError as error:
        raise click.ClickException(str(error)) from error
    except ModuleNotFoundError as error:
        if error.name != "mkdocs":
            raise
        raise click.ClickException("MkDocs is not installed: pip install '.[docs]'") from error
    click.echo(f"the site is in {folder}; open {folder / 'index.html'}")


@manual.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def glossary(file: Path) -> None:
    """Write the glossary into FILE, docs/glossary.md."""
    file.write_text(glossary_page(), "utf-8")


if __name__ == "__main__":
    manual(prog_name="python -m mqsc.manual")
