"""Run inside an environment: does it hold its pins, and can what its jobs need be imported?

Argument: a file of JSON with `pins` (name to version) and `imports` (dotted names). Needs nothing
but the standard library. Tells every fault, and ends with status 1 where there is one.
"""

import importlib
import json
import sys
from importlib import metadata


def main(file: str) -> int:
    with open(file, encoding="utf-8") as handle:
        wanted = json.load(handle)
    faults = []
    for name, version in wanted["pins"].items():
        try:
            held = metadata.version(name)
        except metadata.PackageNotFoundError:
            held = "not installed"
        if held != version:
            faults.append(f"{name}: {held}, pinned is {version}")
    for name in wanted["imports"]:
        try:
            importlib.import_module(name)
        except Exception as error:
            faults.append(f"import {name}: {type(error).__name__}: {error}")
    for one in faults:
        print(one)
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
