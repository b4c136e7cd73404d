"""The program `mqsc` of a command server (see command_server.py), which performs the command.

Written for `python -IS`, which starts in a tenth of the time of the real program; hence the modules
that it imports. The socket of the server is in the folder of this file.
"""

from __future__ import annotations

import _socket
import marshal
import posix
import sys


def perform(program: str, arguments: list[str]) -> int:
    """Have the server perform a command with the files, environment and folder of this process;
    return its status.
    """
    folder = program.rpartition("/")[0]
    server = _socket.socket(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
    server.connect(f"{folder}/socket")
    request = marshal.dumps((arguments, posix.environ, posix.getcwd()))
    files = b"".join(file.to_bytes(4, sys.byteorder) for file in range(3))
    server.sendmsg([request], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, files)])
    return int(server.recv(16) or 1)


if __name__ == "__main__":
    status = perform(sys.argv[0], sys.argv[1:])
    if status < 0:
        posix.kill(posix.getpid(), -status)
    posix._exit(status)
