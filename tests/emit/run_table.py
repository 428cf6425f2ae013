"""Runs what write_table wrote, as "return a @ b" for "ij,jk->ik", on the operands of einsum.tsv.

Arguments: torch or numpy, einsum.tsv, the least number of rows, and the command that writes. Fails
where a function's result is not exactly the table's.
"""
import csv
import importlib
import subprocess
import sys

import numpy as np

TYPES = {"f32": np.float32, "f64": np.float64, "c64": np.complex64, "c128": np.complex128,
         "i32": np.int32, "i64": np.int64}


def operand(shape, k, dtype):
    n = np.arange(int(np.prod(shape, dtype=np.int64)), dtype=np.int64)
    values = ((n * 7 + k * 13 + 3) % 11 - 5).astype(dtype)
    if np.issubdtype(dtype, np.complexfloating):
        values = values + 1j * ((n * 5 + k * 17 + 1) % 7 - 3)
    return values.astype(dtype).reshape(shape)


def numbers(text):
    return [int(part) for part in text.split(",")] if text else []


def matches(row, result, dtype):
    result = np.asarray(result)
    if result.dtype != dtype or list(result.shape) != numbers(row["expected_shape"]):
        return False
    for part, of in (("re", np.real), ("im", np.imag)):
        values = of(result).astype(np.int64).reshape(-1)
        weights = np.arange(values.size) % 97 + 1
        if values.sum() != int(row["sum_" + part] or 0):
            return False
        if (values * weights).sum() != int(row["wsum_" + part] or 0):
            return False
        stored = row["values_" + part]
        if stored not in ("-", "") and values.tolist() != numbers(stored):
            return False
    return True


def main(library, table, least, *writer):
    torch = importlib.import_module("torch") if library == "torch" else None
    text = subprocess.run(writer, check=True, capture_output=True, text=True).stdout
    functions = dict(part.split("\n", 1) for part in text.split("### ")[1:])
    with open(table, encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    checked = wrong = 0
    for row in rows:
        if row["id"] not in functions:
            continue
        dtype = TYPES[row["dtype"]]
        shapes = [] if row["shapes"] == "none" else row["shapes"].split(";")
        operands = [operand(numbers(s), k, dtype) for k, s in enumerate(shapes)]
        scope = {"np": np, "torch": torch}
        exec(functions[row["id"]], scope)
        try:
            if torch:
                result = scope["einsum"](*map(torch.from_numpy, operands)).numpy()
            else:
                result = scope["einsum"](*operands)
            right = matches(row, result, dtype)
        except Exception as error:
            print(error)
            right = False
        checked += 1
        if not right:
            wrong += 1
            print(row["id"], row["equation"], row["shapes"], row["dtype"])
            print(functions[row["id"]])
    print(f"{checked} functions run by {library}, {wrong} wrong")
    return 0 if wrong == 0 and checked >= int(least) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
