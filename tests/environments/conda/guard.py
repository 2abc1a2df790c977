"""What a job of a stand-in environment can import: that environment, and nothing beside it.

Snakemake appends its own folders to a script's sys.path, to unpickle the job, so a package that the
environment lacks would silently come from where Snakemake is installed. This module runs as Python
starts (sitecustomize). At the first import that a script makes itself, behind Snakemake's preamble,
it takes away what came from outside: folders of sys.path, and modules that are loaded already. What
is left is the standard library, the environment, and the project's own scripts.
"""

import builtins
import os
import sys
from pathlib import Path

INSIDE = tuple(one for one in sys.path if one)
PLAIN_IMPORT = builtins.__import__
KEPT = []  # Snakemake's objects go on using their modules


def guarded_import(name, globals=None, locals=None, fromlist=(), level=0):
    if globals is not None and "__real_file__" in globals:  # Snakemake's preamble is done
        builtins.__import__ = PLAIN_IMPORT
        close_off(globals)
    return PLAIN_IMPORT(name, globals, locals, fromlist, level)


def close_off(script):
    """Leave what the environment gives; note who ran in which."""
    own = [one for one in sys.path if (Path(one) / "babelmath" / "__init__.py").is_file()]
    sys.path[:] = [*INSIDE, *(one for one in dict.fromkeys(own) if one not in INSIDE)]
    held = tuple(f"{one.rstrip('/')}/" for one in sys.path)
    for name, module in list(sys.modules.items()):
        place = getattr(module, "__file__", None) or next(iter(getattr(module, "__path__", ())), "")
        if place and name not in ("__main__", "__mp_main__") and not place.startswith(held):
            KEPT.append(sys.modules.pop(name))
    notes = os.environ.get("GUARD_NOTES")
    if notes:
        with open(notes, "a", encoding="utf-8") as file:
            file.write(f"{script['snakemake'].rule}\t{sys.prefix}\n")


if os.environ.get("GUARD") != "off":
    builtins.__import__ = guarded_import
