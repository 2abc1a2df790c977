"""What a job of a stand-in environment can import: that environment, and nothing beside it.

Snakemake appends its own folders to a script's sys.path, to unpickle the job, so a package that the
environment lacks would silently come from where Snakemake is installed. This module runs as Python
starts (sitecustomize). At the first import that a script makes itself, behind Snakemake's preamble,
it takes away what came from outside: folders of sys.path, and modules that are loaded already. What
is left is the standard library, the environment, and the project's own scripts. Only Snakemake's
own modules, which import as they are used, find the others again.
"""

import builtins
import os
import sys
from pathlib import Path

INSIDE = [one for one in sys.path if one]
PLAIN_IMPORT = builtins.__import__
AWAY = {}  # modules from outside, by name
FOLDERS = []  # where they came from


def guarded_import(name, globals=None, locals=None, fromlist=(), level=0):
    importer = globals or {}
    if not FOLDERS and "__real_file__" in importer:  # Snakemake's preamble is done
        FOLDERS.extend(sys.path)
        close_off()
        note(importer["snakemake"].rule)
    if not FOLDERS or importer.get("__name__") not in AWAY:
        return PLAIN_IMPORT(name, globals, locals, fromlist, level)
    sys.path[:] = FOLDERS
    sys.modules.update({key: one for key, one in AWAY.items() if key not in sys.modules})
    try:
        return PLAIN_IMPORT(name, globals, locals, fromlist, level)
    finally:
        close_off()


def close_off():
    """Leave what the environment gives."""
    own = [one for one in FOLDERS if (Path(one) / "babelmath" / "__init__.py").is_file()]
    sys.path[:] = dict.fromkeys([*INSIDE, *own])
    held = tuple(f"{one.rstrip('/')}/" for one in sys.path)
    for name, module in list(sys.modules.items()):
        place = getattr(module, "__file__", None) or next(iter(getattr(module, "__path__", ())), "")
        if place and name not in ("__main__", "__mp_main__") and not place.startswith(held):
            AWAY[name] = sys.modules.pop(name)


def note(rule):
    """Tell the test which rule ran where."""
    if notes := os.environ.get("GUARD_NOTES"):
        with open(notes, "a", encoding="utf-8") as file:
            file.write(f"{rule}\t{sys.prefix}\n")


if os.environ.get("GUARD") != "off":
    builtins.__import__ = guarded_import
