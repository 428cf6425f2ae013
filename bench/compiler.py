"""Runs a compiler on a text such as a file with one call of einsum<"ij,jk->ik">."""

import os
import subprocess
import sys
import tempfile


def compiled(text, command):
    """Seconds of processor time and mebibytes of the compiler, and KiB of code."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = os.path.join(folder, "unit.cpp"), os.path.join(folder, "unit.o")
        with open(source, "w", encoding="utf-8") as f:
            f.write(text)
        process = subprocess.Popen(command + ["-c", source, "-o", target])
        _, status, used = os.wait4(process.pid, 0)
        if status != 0:
            sys.exit("the compiler has failed")
        size = subprocess.run(["size", target], check=True, capture_output=True, text=True).stdout
        return {"seconds": used.ru_utime + used.ru_stime, "memory": used.ru_maxrss / 1024,
                "code": int(size.splitlines()[1].split()[0]) / 1024}
