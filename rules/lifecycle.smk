"""What happens before the first job of a run and after its last."""

import base64
import shutil

from babelmath.checks import check_copies, check_inputs
from babelmath.files import sweep
from babelmath.journal.kept import Made, keep
from babelmath.locks import locked


def begin_run():
    """Check what the run needs, keep what its jobs may replace, remove what a kill left."""
    try:
        check_inputs(CONFIG, LANGUAGES, local_sources(), review_folders(), own_environments())
        keep(Path(CONFIG.paths.journal), Path(R), made_files())
    except InputError as error:
        raise WorkflowError(str(error)) from None
    sweep(Path(R))


def end_run():
    """Keep what the run has made, and say where what it replaced lies."""
    if not workflow.is_main_process:
        return
    try:
        for path in keep(Path(CONFIG.paths.journal), Path(R), made_files()):
            print(f"replaced, the old file is {path}", file=sys.stderr)
    except InputError as error:
        print(error, file=sys.stderr)


def unrecorded():
    """Results that Snakemake holds no record of: how they were made is not known.

    Those of a job that was killed are marked as incomplete, and made again anyhow.
    """
    known = [*PROBLEMS, *TABLES, *FIGURES, *VERDICTS, *LABELS, *AUDIT, *RECORD]
    known += [f"{R}/{one.place}" for one in made_files()]
    return [path for path in dict.fromkeys(known) if Path(path).exists() and not noted(path)]


def noted(path):
    """Whether Snakemake has a file's record, or its mark as incomplete, under its coded name."""
    name = base64.urlsafe_b64encode(path.encode()).decode()
    longest = os.pathconf(".", "PC_NAME_MAX") - 1
    parts = [name[at : at + longest] for at in range(0, len(name), longest)]
    place = Path(*(f"@{part}" for part in parts[:-1]), parts[-1])
    return any(Path(".snakemake", kind, place).exists() for kind in ("metadata", "incomplete"))


def distrust_unrecorded():
    """Make results that have come without Snakemake's records older than all they are made from:
    it would take them for finished, whatever the configuration is now."""
    if not workflow.is_main_process or not (found := unrecorded()):
        return
    print(
        f"{len(found)} results have no record in .snakemake/metadata (as {found[0]}): they are made "
        "anew, and what the journal holds is not asked again",
        file=sys.stderr,
    )
    for path in found:
        if path.startswith(f"{R}/run/"):  # made from the configuration alone
            Path(path).unlink()
        else:
            os.utime(path, (1, 1))


def made_files():
    """Files made with models' answers: generations, judges' verdicts, what is built."""
    found = []
    for benchmark, setting, model in explored():
        if model in asked_models():
            found.append(Made(model, f"{benchmark}/generations/{setting}/{model}.jsonl"))
        for scorer in BENCHMARKS[benchmark].settings[setting].scorers:
            if (judge := scorer.removeprefix("judge-")) in judges_asked():
                place = f"{benchmark}/verdicts/{setting}/{model}/{scorer}.jsonl"
                found.append(Made(judge_model(judge), place))
    return found + [
        Made(building_models(name, section)[0], path.removeprefix(f"{R}/"))
        for name in BENCHMARKS
        for section, paths in built_files(name).items()
        if building_models(name, section)
        for path in paths
    ]


def built_files(benchmark):
    """The files of building steps that ask models, by section of the configuration."""
    found = {"translation": translation_files(benchmark)}
    if benchmark == "mathmist":
        place = f"{R}/mathmist/construction"
        found["choices"] = [f"{place}/distractors.jsonl"]
        found["perturbation"] = [f"{place}/perturbation.jsonl"]
    return found


def clear_stale_locks():
    """Remove Snakemake's locks that a killed run left in this folder.

    Every process holds a shared file lock of its own as long as it lives. Who gets it exclusively
    knows that no other is alive, so Snakemake's lock files can only be leftovers; who does not
    leaves them alone, and Snakemake decides.
    """
    place = Path(".snakemake")
    place.mkdir(exist_ok=True)
    handle = open(place / "babelmath.lock", "a+")
    if locked(handle, wait=False):
        shutil.rmtree(place / "locks", ignore_errors=True)
        (place / "locks").mkdir()
    locked(handle, shared=True)
    return handle


if workflow.is_main_process:
    RUN_LOCK = clear_stale_locks()


try:
    check_copies(local_copies())
except InputError as error:
    raise WorkflowError(str(error)) from None
