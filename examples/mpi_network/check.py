#!/usr/bin/env python3
"""Runs mpi_network with several ranks on this machine: the result has the same bits for any number of
them, is as the reference has it, and a run that was killed goes on from its checkpoint.

usage: check.py MPIEXEC PROGRAM NETWORKS
"""

import os
import re
import subprocess
import sys
import tempfile

mpiexec, program, networks = sys.argv[1:]
# More ranks than cores, as root in a container, no matter on which cores.
environment = dict(
    os.environ,
    OMPI_ALLOW_RUN_AS_ROOT="1",
    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
    OMPI_MCA_rmaps_base_oversubscribe="1",
    OMPI_MCA_hwloc_base_binding_policy="none",
    PRTE_MCA_rmaps_default_mapping_policy=":oversubscribe",
)


def run(ranks, *options):
    command = [mpiexec, "-n", str(ranks), program, networks, *options]
    kills = "--kill" in options
    try:
        return subprocess.run(command, env=environment, capture_output=True, text=True,
                              timeout=100 if kills else 300)
    except subprocess.TimeoutExpired:
        # Open MPI's mpiexec may miss that its ranks have ended where one of them was killed.
        if not kills:
            raise
        return subprocess.CompletedProcess(command, 1, "", "mpiexec did not end")


def expect(what, ended, code=0):
    if (ended.returncode == 0) != (code == 0):
        sys.exit(f"{what}: exit code {ended.returncode}\n{ended.stdout}{ended.stderr}")
    return ended.stdout


def main():
    for network, limit, part in (("chain", 100, 2), ("ladder", 100, 3)):
        task = ["--name", network, "--memory-limit", str(limit), "--part", str(part)]
        alone = expect(f"{network} alone", run(1, *task, "--check", "1"))
        assert "as the reference has it" in alone, alone
        parts = int(alone.split(" parts")[0].split()[-1])
        assert parts >= 6, alone
        for ranks in (2, 4):
            several = expect(f"{network}, {ranks} ranks", run(ranks, *task, "--check", "1"))
            assert several == alone, f"{ranks} ranks: {several} and not {alone}"
        # A rank that dies takes the others with it, but not what is summed.
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "sums")
            kept = [*task, "--checkpoint", file, "--every", "0"]
            expect(f"{network}, a rank killed", run(4, *kept, "--kill", "2:0"), code=1)
            if os.path.exists(file):
                assert expect(f"{network} goes on", run(4, *kept)) == alone.replace(
                    "as the reference has it\n", "")
                os.remove(file)
            expect(f"{network}, rank 0 killed", run(4, *kept, "--kill", "0:3"), code=1)
            resumed = run(2, *kept, "--check", "1")
            there = re.search(r"goes on from .*: (\d+) of (\d+) parts", resumed.stderr)
            assert there and 3 <= int(there[1]) < int(there[2]) == parts, resumed.stderr
            assert expect(f"{network} resumed", resumed) == alone, f"{resumed.stdout} and not {alone}"
            # Another task must not take it for its own; nor must what is damaged be taken.
            other = [*task[:-1], str(part + 1), "--checkpoint", file]
            assert "of another task" in run(2, *other).stderr
            with open(file, "r+b") as damaged:
                damaged.truncate(os.path.getsize(file) - 4)
            assert "cut short" in run(1, *kept).stderr
    for wrong, message in (
        (["--name", "none"], "no network 'none'"),
        (["--part", "0"], "not a number from 1: 0"),
        (["--fast", "1"], "no option: --fast"),
    ):
        ended = run(1, *wrong)
        assert ended.returncode != 0 and message in ended.stderr, ended.stderr


main()
