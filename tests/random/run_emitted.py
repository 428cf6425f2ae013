"""Runs what write_emitted wrote, as "return a @ b" for "ij,jk->ik", and compares exactly.

Arguments: the command that writes.
"""
import json
import subprocess
import sys

import numpy as np


def array(described, dtype):
    values = np.array(described["re"], dtype=dtype)
    if "im" in described:
        values = values + 1j * np.array(described["im"], dtype=values.real.dtype)
    return values.astype(dtype).reshape(described["shape"])


def main(*writer):
    text = subprocess.run(writer, check=True, capture_output=True, text=True).stdout
    cases = [json.loads(line) for line in text.splitlines()]
    wrong = 0
    for case in cases:
        dtype = np.dtype(case["type"])
        expected = array(case["result"], dtype)
        scope = {"np": np}
        try:
            exec(case["function"], scope)
            with np.errstate(over="ignore"):  # integers wrap
                found = np.asarray(scope["einsum"](*(array(o, dtype) for o in case["operands"])))
            problem = (f"type {found.dtype}" if found.dtype != dtype else
                       f"shape {found.shape}" if found.shape != expected.shape else
                       "" if np.array_equal(found, expected) else
                       f"{found} instead of {expected}")
        except Exception as error:
            problem = repr(error)
        if problem:
            wrong += 1
            print(case["case"], problem, case["function"], sep="\n")
    print(f"{len(cases)} functions run by numpy, {wrong} wrong")
    return 0 if cases and wrong == 0 else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
