"""The HTTP side of `mqsc serve`: its options, and the server for a block."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import NamedTuple

import click

from mqsc.console import target
from mqsc.console.decorators import combined
from mqsc.console.parameters import FILE_PATH, TextType
from mqsc.store.client.store import Store

MOST_PORTS = 65_535
_LARGEST_BODY = 100 << 20
_LIBRARIES = ("prometheus_client", "starlette", "uvicorn", "h11")


class Endpoint(TextType):
    """[ADDRESS:]PORT; the address is that of this machine alone if it is left out, and port 0
    any that is free.
    """

    name = "[ADDRESS:]PORT"

    def read(self, text: str) -> tuple[str, int]:
        address, _, port = text.rpartition(":")
        if not (port.isascii() and port.isdigit() and int(port) <= MOST_PORTS):
            raise ValueError(
                f"{text!r} is not a port from 0 to {MOST_PORTS}, such as 9157 or 0.0.0.0:9157",
            )
        return address.strip("[]") or "127.0.0.1", int(port)


http_options = combined(
    click.option(
        "--http",
        type=Endpoint(),
        help="Answer IBM MQ's REST API and Prometheus here (ADDRESS: 127.0.0.1).",
    ),
    click.option(
        "--tls-cert",
        type=FILE_PATH,
        metavar="FILE",
        help="With --http: the certificate for https, with those that lead to its root (PEM).",
    ),
    click.option(
        "--tls-key",
        type=FILE_PATH,
        metavar="FILE",
        help="With --http: the key of the certificate (PEM).",
    ),
    click.option(
        "--host",
        "hosts",
        multiple=True,
        metavar="NAME",
        help="With --http: a further name of this server; repeatable.",
    ),
    click.option(
        "--max-body",
        type=click.IntRange(1024, _LARGEST_BODY),
        metavar="BYTES",
        help="With --http: the longest body of a request (default: 4195328).",
    ),
    click.option(
        "--no-auth",
        is_flag=True,
        help="With --http: ask for no login; every program of this machine is an administrator.",
    ),
)


class HttpChoices(NamedTuple):
    """The values of these options."""

    http: tuple[str, int] | None
    tls_cert: str | None
    tls_key: str | None
    hosts: tuple[str, ...]
    max_body: int | None
    no_auth: bool

    def check(self) -> None:
        """UsageError for an option that only has a meaning with --http."""
        more = (self.tls_cert, self.tls_key, self.hosts, self.max_body, self.no_auth)
        if self.http is None and any(more):
            names = "--tls-cert, --tls-key, --host, --max-body and --no-auth"
            raise click.UsageError(f"{names} need --http")


@contextmanager
def http_server(
    store: Store,
    choices: HttpChoices,
    log: Callable[[str], None],
) -> Iterator[None]:
    """Answer HTTP during the block, if --http is given; NothingRunError if that is impossible."""
    if choices.http is None:
        yield
        return
    try:
        from mqsc.http import server
    except ModuleNotFoundError as error:
        if error.name not in _LIBRARIES:
            raise
        raise target.NothingRunError(
            f"--http needs {error.name}, which is not installed; in the source tree of mqsc, run: "
            "pip install '.[http]'",
        ) from error
    address, port = choices.http
    listening = server.Listening(
        address,
        port,
        choices.tls_cert,
        choices.tls_key,
        choices.hosts,
        choices.no_auth,
        choices.max_body or server.DEFAULT_MOST,
    )
    with ExitStack() as held:
        with target.failing(server.ListeningError, target.NothingRunError):
            url = held.enter_context(server.served(store, listening, log))
        log(f"IBM MQ's REST API at {url}{server.BASE}, metrics at {url}/metrics")
        if not choices.no_auth and not store.users():
            log("the store has no users, so nobody can log in: add one with `mqsc user add`")
        yield
