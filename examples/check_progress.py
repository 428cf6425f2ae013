#!/usr/bin/env python3
"""Runs a program with stderr on a terminal and again with stderr in a file. On the terminal one line
is rewritten, holds a text such as "1 s left", and is gone in the end; the file stays empty, and
nothing else differs.

usage: check_progress.py REGEX PROGRAM ARGUMENTS...
"""

import os
import pty
import re
import subprocess
import sys


def main(expression, call):
    main_end, end = pty.openpty()
    program = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=end)
    os.close(end)
    shown = b""
    try:
        while part := os.read(main_end, 4096):
            shown += part
    except OSError:  # How Linux says that the other end is closed.
        pass
    printed = program.communicate()[0]
    shown = shown.decode()
    assert program.returncode == 0, program.returncode
    assert re.search(expression, shown), repr(shown)
    assert "\n" not in shown and shown.startswith("\r") and shown.endswith("\r"), repr(shown)
    lines = shown.split("\r")
    assert lines[-2].strip() == "" and len(lines[-2]) == len(lines[-3]), repr(shown)
    again = subprocess.run(call, capture_output=True)
    assert (again.returncode, again.stderr) == (0, b""), again
    assert again.stdout == printed, (printed, again.stdout)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:])
