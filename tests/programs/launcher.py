"""``launcher.py SOCKET MODULE ARGUMENT…``: see ``tests/contract/forking.py``. Imports little, for it starts often."""

import array
import json
import os
import signal
import socket
import struct
import sys

_, path, module, *arguments = sys.argv
said = {"module": module, "arguments": arguments, "environment": dict(os.environ), "folder": os.getcwd()}
body = json.dumps(said).encode()
server = socket.socket(socket.AF_UNIX)
server.connect(path)
head = struct.pack("<I", len(body))
server.sendmsg([head], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0, 1, 2]))])
server.sendall(body)
(pid,) = struct.unpack("<I", server.recv(4))
for number in (0, 1, 2):
    os.close(number)  # they are the program's alone
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, lambda number, _: os.kill(pid, number))
code = server.recv(4)
os._exit(struct.unpack("<I", code)[0] if code else 1)
