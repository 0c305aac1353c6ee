#!/usr/bin/env python3
"""Prints the differences between a test's results in two runs, without line numbers.

    difference.py OFF ON [AGAIN [ACCEPTED]]

AGAIN is from another run like OFF: where that differs from OFF as well, the test
gives something different each time, such as an OID.  Differences in ACCEPTED
don't count, either.  A missing file is treated as empty.
"""
import os
import re
import subprocess
import sys

HEAD = re.compile(rb"@@ -(\d+)(?:,(\d+))? ")


def hunks(old, new):
    """(first line, line after the last, text)"""
    found = []
    result = subprocess.run(["diff", "-a", "-N", "-U0", old, new], stdout=subprocess.PIPE, check=False)
    for line in result.stdout.split(b"\n")[2:]:
        match = HEAD.match(line)
        if match:
            first = int(match.group(1))
            found.append([first, first + int(match.group(2) or 1), b"@@"])
        elif found and line:
            found[-1][2] += b"\n" + line
    return found


def accepted_hunks(path):
    with open(path, "rb") as file:
        text = b"".join(line for line in file if not line.startswith(b"#"))
    return {b"@@" + part.rstrip(b"\n") for part in (b"\n" + text).split(b"\n@@")[1:]}


def main():
    off, on, again, accepted = (sys.argv[1:] + [""] * 2)[:4]
    unstable = hunks(off, again) if again else []
    known = accepted_hunks(accepted) if os.path.exists(accepted) else set()
    for first, end, text in hunks(off, on):
        if text not in known and not any(f - 1 <= end and first <= e + 1 for f, e, _ in unstable):
            sys.stdout.buffer.write(text + b"\n")


if __name__ == "__main__":
    main()
