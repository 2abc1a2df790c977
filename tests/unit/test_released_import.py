"""The import of whole releases: small ones with every fault, and the authors' own."""

from __future__ import annotations

import itertools
import json
import os
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from babelmath.errors import InputError
from babelmath.languages import load_languages
from babelmath.records import Generation, Verdict, load_records, save_records
from babelmath.released.building import choices_file, read_choices
from babelmath.released.corpora import count_oddities
from babelmath.released.importing import Imported, import_setting
from babelmath.released.joining import Corpus
from babelmath.released.layout import chosen, sort_files
from babelmath.released.oddities import Oddities, load_oddities
from babelmath.sources import read_problems, source_files
from small_release import (
    CROSS,
    JUDGED_FLAWS,
    JUDGES,
    LANGUAGES,
    MCQ,
    MODELS,
    PLAIN,
    SCORERS,
    TYPED,
    ZERO_SHOT,
    answer,
    chosen_option,
    corpus,
    counts,
    explained,
    import_release,
    judged,
    name,
    solved,
    statuses,
    within,
    without_files,
    write,
)

ALL = range(1, 9)
BANGLA = f"{ZERO_SHOT}/Bangla/evaluation_results_Qwen8B_ZERO_SHOT(Bangla).json"
RIGHT = {f"en {at}": "correct" for at in ALL}
NOTHING = Imported([], {scorer: [] for scorer in JUDGES})
MORE = "problems without a record"


def total(yes: int, n: int = 8) -> dict[str, Any]:
    return {"model_used": "judge", "total_problems": n, "correct_answers": yes,
            "overall_accuracy_percentage": round(100 * yes / n, 2)}  # fmt: skip


def zero_shot(root: Path) -> None:
    """Two files: all right in English, half of it in Bangla."""
    write(root / PLAIN, [judged(at) for at in ALL], total(8))
    rows = [judged(at, "bn", decision="yes" if at > 4 else "no", final_text="") for at in ALL]
    write(root / BANGLA, rows, total(4))


NO_REPLY = {"no decision in the judge's reply, stored NO": 4,
            "no decision in the judge's reply, stored YES": 4}  # fmt: skip


def test_a_release_is_imported_whole(tmp_path):
    zero_shot(tmp_path)
    found, oddities = import_release(tmp_path, "zero-shot")
    assert statuses(found) == RIGHT
    assert Counter(statuses(found, model="qwen3-8b").values()) == {"correct": 4, "wrong": 4}
    assert counts(oddities) == NO_REPLY
    for model in ("deepseek-r1-7b", "phi-4"):
        assert found[model] == NOTHING
    assert without_files(oddities) == MODELS.keys() - {"gpt-oss-20b", "qwen3-8b"}


def test_the_typed_copy_is_read_and_the_plain_one_counted(tmp_path):
    zero_shot(tmp_path)
    write(tmp_path / TYPED, [judged(at, decision="no", final_text="DECISION: NO") for at in ALL])
    found, oddities = import_release(tmp_path, "zero-shot")
    assert set(statuses(found).values()) == {"wrong"}
    assert counts(oddities) == NO_REPLY | {"copy of another file": 1}


# Files that are damaged, renamed, missing, empty


def test_a_file_cut_in_the_middle_is_refused_by_file_and_line(tmp_path):
    zero_shot(tmp_path)
    text = (tmp_path / PLAIN).read_text(encoding="utf-8")
    (tmp_path / PLAIN).write_text(text[: len(text) // 2], encoding="utf-8")
    with pytest.raises(InputError, match="not JSON") as caught:
        import_release(tmp_path, "zero-shot")
    assert caught.value.file == str(tmp_path / PLAIN)
    assert 5 <= caught.value.line <= 7


@pytest.mark.parametrize("renamed", ["results.json", "GPT.json.old", "Llama(English).json"])
def test_a_renamed_file_leaves_its_model_without_records(tmp_path, renamed):
    zero_shot(tmp_path)
    other = (tmp_path / BANGLA).with_name(renamed)
    (tmp_path / BANGLA).rename(other)
    found, oddities = import_release(tmp_path, "zero-shot")
    assert statuses(found) == RIGHT
    assert found["qwen3-8b"] == NOTHING
    ((file, kind),) = within(oddities)
    assert without_files(oddities) == MODELS.keys() - {"gpt-oss-20b"}
    assert (file, kind) == (other.relative_to(tmp_path).as_posix(), "file not recognised")


def test_a_file_renamed_to_claim_anothers_place_is_refused_by_both_names(tmp_path):
    zero_shot(tmp_path)
    other = (tmp_path / PLAIN).with_name("evaluation_results_GPT(English) copy.json")
    write(other, [judged(1)])
    with pytest.raises(InputError) as caught:
        import_release(tmp_path, "zero-shot")
    assert {str(tmp_path / PLAIN), str(other)} == {
        caught.value.file, str(caught.value.problem).split("so does ")[1],
    }  # fmt: skip


def test_another_languages_file_under_a_name_is_refused(tmp_path):
    zero_shot(tmp_path)
    rows = [judged(at, "bn", exact_answer="$8$" if at == 8 else f"উত্তর {at}") for at in ALL]
    other = write((tmp_path / PLAIN).with_name("evaluation_Qwen(English).json"), rows)
    with pytest.raises(InputError, match="7 of 8 records do not match") as caught:
        import_release(tmp_path, "zero-shot")
    assert (caught.value.file, caught.value.line) == (str(other), 2)


def test_missing_folders_give_no_records(tmp_path):
    for setting in ("zero-shot", "cot", "cs-bn-en", "mcq", "detect", "identify", "cross-lingual"):
        found, oddities = import_release(tmp_path / "nowhere", setting)
        scorers = SCORERS.get(setting, JUDGES)
        assert all(one == Imported([], {key: [] for key in scorers}) for one in found.values())
        assert not within(oddities)
        assert without_files(oddities) == MODELS.keys()


@pytest.mark.parametrize("metadata", [..., None, {}, {"total_problems": 0}])
@pytest.mark.parametrize(
    ("setting", "place"),
    [("zero-shot", PLAIN), ("mcq", MCQ), ("detect", JUDGED_FLAWS), ("identify", JUDGED_FLAWS),
     ("cross-lingual", f"{CROSS}/English/Accuracy Check/evaluation_results_English_GPT_150.json")],
)  # fmt: skip
def test_a_file_without_entries_is_counted(tmp_path, setting, place, metadata):
    write(tmp_path / place, [], metadata)
    found, oddities = import_release(tmp_path, setting)
    assert found["gpt-oss-20b"].generations == []
    expected = {"no entries": 1}
    if metadata is None:
        expected["evaluation_metadata is no object"] = 1
    assert counts(oddities) == expected


def test_unknown_fields_change_nothing_else(tmp_path):
    zero_shot(tmp_path)
    before, _ = import_release(tmp_path, "zero-shot")
    rows = [judged(at, Extra={"a": [1]}) for at in ALL]
    write(tmp_path / PLAIN, rows, total(8), run={"id": 3})
    after, oddities = import_release(tmp_path, "zero-shot")
    assert after == before
    assert counts(oddities) == NO_REPLY | {
        "unknown field Extra": 8, "unknown field run of the file": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("setting", "place", "make"),
    [("zero-shot", PLAIN, judged), ("mcq", MCQ, chosen_option), ("detect", JUDGED_FLAWS, explained),
     ("identify", JUDGED_FLAWS, explained)],
)  # fmt: skip
def test_a_record_twice_is_refused_by_file_line_and_first_entry(tmp_path, setting, place, make):
    write(tmp_path / place, [make(1), make(2), make(3), make(2)])
    with pytest.raises(InputError, match="the problem of entry 2 again in entry 4") as caught:
        import_release(tmp_path, setting)
    assert (caught.value.file, caught.value.line) == (str(tmp_path / place), 5)


def test_a_copy_of_a_file_under_another_models_name_is_counted_and_both_are_read(tmp_path):
    zero_shot(tmp_path)
    other = (tmp_path / PLAIN).with_name("evaluation_results_Zero_Shot_Phi(English).json")
    other.write_bytes((tmp_path / PLAIN).read_bytes())
    found, oddities = import_release(tmp_path, "zero-shot")
    assert statuses(found) == statuses(found, model="phi-4") == RIGHT
    assert counts(oddities) == NO_REPLY | {"same bytes as another file": 1}


@pytest.mark.parametrize(
    ("setting", "place", "make", "key"),
    [("zero-shot", PLAIN, judged, "problem_index"), ("mcq", MCQ, chosen_option, "problem_index"),
     ("detect", JUDGED_FLAWS, explained, "Example Number")],
)  # fmt: skip
def test_exchanged_numbers_are_refused_by_the_problem_that_is_meant(
    tmp_path, setting, place, make, key
):
    # Released multiple-choice files hold no exact answers; where one does, it is compared.
    rows = [make(at, **({"exact_answer": answer("en", at)} if make is chosen_option else {}))
            for at in (1, 2)]  # fmt: skip
    rows[0][key], rows[1][key] = rows[1][key], rows[0][key]
    write(tmp_path / place, rows)
    with pytest.raises(InputError, match=f"the question and answer of {name(1)} under") as caught:
        import_release(tmp_path, setting)
    assert (caught.value.file, caught.value.line) == (str(tmp_path / place), 2)


@pytest.mark.parametrize("row", [7, None, [], "x"])
def test_an_entry_that_is_no_object_is_refused_by_its_line(tmp_path, row):
    write(tmp_path / PLAIN, [judged(1), row])
    with pytest.raises(InputError, match="no object in entry 2") as caught:
        import_release(tmp_path, "zero-shot")
    assert caught.value.line == 3


# Totals and numbers of records


@pytest.mark.parametrize(
    ("change", "kinds"),
    [
        ({}, []),
        ({"correct_answers": 5}, ["its own total of correct answers differs"]),
        ({"correct_answers": "6"}, ["its own total of correct answers differs"]),
        ({"correct_answers": None, "total_problems": None}, []),
        ({"total_problems": 1445}, ["its own number of records differs"]),
        ({"overall_accuracy_percentage": 75.01}, ["its own accuracy is not yes-decisions over all "
                                                  "records"]),
        ({"overall_accuracy_percentage": 85.71}, ["its own accuracy is not yes-decisions over all "
                                                  "records"]),
        ({"overall_accuracy_percentage": "75"}, []),
    ],
)  # fmt: skip
def test_a_files_own_totals_are_compared_and_never_count(tmp_path, change, kinds):
    rows = [judged(at) if at > 2 else judged(at, decision="no", final_text="DECISION: NO")
            for at in ALL]  # fmt: skip
    write(tmp_path / PLAIN, rows, total(6) | change)
    found, oddities = import_release(tmp_path, "zero-shot")
    assert Counter(statuses(found).values()) == {"correct": 6, "wrong": 2}
    assert counts(oddities) == dict.fromkeys(kinds, 1)


def flaws(**changes: Any) -> dict[str, Any]:
    return {"total_problems": 3, "primary_accuracy": {"correct_detections": 2},
            "secondary_accuracy": {"true_positives": 1, "false_positives": 1,
                                   "false_negatives": 1}} | changes  # fmt: skip


@pytest.mark.parametrize(
    ("metadata", "detect", "identify"),
    [
        (flaws(), [], []),
        (flaws(primary_accuracy={"correct_detections": 3}), ["detections"], []),
        (flaws(secondary_accuracy={"true_positives": 2, "false_positives": 0}), [],
         ["true positives", "false positives"]),
        (flaws(primary_accuracy=None, secondary_accuracy=7), [], []),
    ],
)  # fmt: skip
def test_totals_of_perturbation_files(tmp_path, metadata, detect, identify):
    words = ("True Positive", "False Positive", "False Negative")
    rows = [
        explained(at, Secondary_Decision=word, gemini_evaluation={
            "final_text": f"secondary_decision: {word}", "confidence": 1},
            Decision="NO" if word == "False Negative" else "YES")
        for at, word in enumerate(words, start=1)
    ]  # fmt: skip
    write(tmp_path / JUDGED_FLAWS, rows, metadata)
    found, oddities = import_release(tmp_path, "detect")
    assert list(statuses(found, "letter-paper").values()) == ["correct", "correct", "wrong"]
    assert counts(oddities) == {f"its own total of {one} differs": 1 for one in detect}
    found, oddities = import_release(tmp_path, "identify")
    assert list(statuses(found).values()) == ["correct", "wrong", "wrong"]
    assert counts(oddities) == {f"its own total of {one} differs": 1 for one in identify}


@pytest.mark.parametrize("gone", [1, 4, 8])
def test_a_record_that_is_missing_is_counted(tmp_path, gone):
    write(tmp_path / PLAIN, [judged(at) for at in ALL if at != gone], total(8))
    found, oddities = import_release(tmp_path, "zero-shot")
    assert statuses(found) == {key: one for key, one in RIGHT.items() if key != f"en {gone}"}
    assert oddities.found[PLAIN, MORE].example == "1"
    assert counts(oddities) == {
        MORE: 1, "its own number of records differs": 1,
        "its own total of correct answers differs": 1,
    }  # fmt: skip


def test_a_record_that_is_missing_from_a_sample_or_from_the_items_is_counted(tmp_path):
    write(tmp_path / MCQ, [chosen_option(at) for at in (1, 2, 4, 5)])
    other = JUDGED_FLAWS.replace("GPT", "Qwen")
    write(tmp_path / JUDGED_FLAWS, [explained(at) for at in (1, 2, 5)])
    write(tmp_path / other, [explained(at) for at in (5, 1)])
    _, oddities = import_release(tmp_path, "mcq")
    assert {key: one.example for key, one in within(oddities).items()} == {(MCQ, MORE): "2"}
    for setting in ("detect", "identify"):
        _, oddities = import_release(tmp_path, setting)
        assert {key: one.example for key, one in within(oddities).items()} == {(other, MORE): "1"}


# Subsets and samples


def test_of_a_subset_records_of_other_problems_are_left_out(tmp_path):
    zero_shot(tmp_path)
    write(tmp_path / MCQ, [chosen_option(at) for at in range(1, 7)])
    write(tmp_path / JUDGED_FLAWS, [explained(at) for at in (2, 5, 7)])
    cases = [("zero-shot", [2, 5]), ("mcq", [2, 5]), ("detect", [2, 5]), ("identify", [2, 5])]
    for setting, subset in cases:
        found, oddities = import_release(tmp_path, setting, subset)
        scorer = SCORERS.get(setting, JUDGES)[0]
        assert statuses(found, scorer) == {f"en {at}": "correct" for at in subset}, setting
        assert [one.id for one in found["gpt-oss-20b"].generations] == list(map(name, subset))
        assert set(counts(oddities)) <= {*NO_REPLY}
    found, oddities = import_release(tmp_path, "detect", [2, 3])
    assert statuses(found, "letter-paper") == {"en 2": "correct"}
    assert not within(oddities)  # the sample does not hold problem 3


def cross_lingual(root: Path, lang: str, rows: list[dict[str, Any]], model: str = "GPT") -> Path:
    language = LANGUAGES[lang]
    place = f"{CROSS}/{language}/Accuracy Check/evaluation_results_{language}_{model}_150.json"
    return write(root / place, rows, total(len(rows), len(rows)))


def test_cross_lingual_files_are_joined_to_one_sample_in_any_order(tmp_path, monkeypatch):
    numbers = [7, 2, 5]
    for at, lang in enumerate(LANGUAGES):
        rows = [judged(one, lang, problem_index=place) for place, one in enumerate(numbers)]
        rows[at]["question"] = f"Reworded in {lang}"
        cross_lingual(tmp_path, lang, rows)
        beside = [solved(one, lang, problem_index=place) for place, one in enumerate(numbers)]
        write(tmp_path / CROSS / LANGUAGES[lang] / f"{LANGUAGES[lang]}_GPT_150.json", beside)
    wanted = {f"{lang} {number}": "correct" for lang in LANGUAGES for number in numbers}
    orders = itertools.permutations(sorted((tmp_path / CROSS).rglob("*.json")))
    for order in itertools.islice(orders, 0, None, 29):
        monkeypatch.setattr("babelmath.released.layout.result_files", lambda _, one=order: one)
        found, oddities = import_release(tmp_path, "cross-lingual")
        assert statuses(found) == wanted
        assert {one.answer for one in found["gpt-oss-20b"].generations} == {
            f"It is {number}." for number in numbers
        }
        assert counts(oddities) == {"question not in the corpus": 3}


def test_a_sample_file_without_one_record_is_counted(tmp_path):
    for lang in LANGUAGES:
        rows = [judged(one, lang, problem_index=at) for at, one in enumerate([7, 2, 5])]
        cross_lingual(tmp_path, lang, rows[: 2 if lang == "fr" else 3])
    found, oddities = import_release(tmp_path, "cross-lingual")
    assert len(statuses(found)) == 8
    assert counts(oddities) == {MORE: 1}


# The job's script


def test_the_script_writes_records_and_oddities(repository, tmp_path):
    zero_shot(tmp_path / "release")
    held = {lang: corpus(lang) for lang in LANGUAGES}
    for lang, one in held.items():
        save_records(tmp_path / f"problems.{lang}.jsonl", one.problems.values())
        save_records(tmp_path / f"choices.{lang}.jsonl", one.choices)
    names = [str(repository / f"resources/languages/{lang}.yaml") for lang in LANGUAGES]
    job = SimpleNamespace(
        input=SimpleNamespace(
            problems=[tmp_path / f"problems.{lang}.jsonl" for lang in LANGUAGES],
            choices=[tmp_path / f"choices.{lang}.jsonl" for lang in LANGUAGES], languages=names,
        ),
        params=SimpleNamespace(
            folder=str(tmp_path / "release"), root=str(tmp_path / "out"), models=MODELS, whole=True,
            settings={"zero-shot": dict.fromkeys(MODELS, JUDGES), "cot": {"phi-4": JUDGES}},
        ),
        output=SimpleNamespace(oddities=str(tmp_path / "odd.csv")), log=[],
    )  # fmt: skip
    script = repository / "scripts/import_records.py"
    space: dict[str, Any] = {"snakemake": job, "__name__": "script"}
    exec(compile(script.read_text(encoding="utf-8"), script, "exec"), space)
    space["main"]()
    made = load_records(tmp_path / "out/generations/zero-shot/qwen3-8b.jsonl", Generation)
    assert [(one.lang, one.id) for one in made] == [("bn", name(at)) for at in ALL]
    verdicts = load_records(tmp_path / "out/verdicts/zero-shot/qwen3-8b/judge-a.jsonl", Verdict)
    assert [one.correct for one in verdicts] == [False] * 4 + [True] * 4
    assert load_records(tmp_path / "out/generations/cot/phi-4.jsonl", Generation) == []
    rows = [(row["file"], row["count"]) for row in load_oddities([tmp_path / "odd.csv"])]
    assert rows == [("Evaluation Results", "1")] * 3 + [(BANGLA, "4"), (BANGLA, "4")]


# The authors' release

RELEASE = os.environ.get("BABELMATH_RECORDS")
needs_release = pytest.mark.skipif(
    not RELEASE, reason="BABELMATH_RECORDS does not name a local copy of the MathMist release"
)
CODES = ("bn", "en", "fr", "fi", "tr", "lt", "kk")


@pytest.fixture(scope="module")
def release(repository) -> SimpleNamespace:
    """All that the release gives, with its oddities; every result file as it lies there."""
    root = Path(RELEASE or "")
    oddities = Oddities(root)
    places = [repository / f"resources/languages/{code}.yaml" for code in CODES]
    languages = load_languages(places)
    corpora = {}
    for code, language in languages.items():
        path = root / source_files("mathmist", True, language)
        found = read_problems("mathmist", path, language, release=True)
        count_oddities("mathmist", path, language, found, oddities)
        items = []
        if code in ("bn", "en"):
            items = read_choices(root / choices_file(language.name), code, found, oddities)
        corpora[code] = Corpus({one.id: one for one in found}, items)
    names = {one.name: code for code, one in languages.items()}
    parts = sort_files(root, MODELS, names, corpora, oddities)
    imported = {
        setting: import_setting(setting, chosen(files, oddities),
                                dict.fromkeys(MODELS, SCORERS.get(setting, JUDGES)), corpora, True,
                                oddities)
        for setting, files in parts.items()
    }  # fmt: skip
    files = {}
    for path in sorted((root / "Evaluation Results").rglob("*.json")):
        raw = json.loads(path.read_text(encoding="utf-8-sig"))
        rows, meta = raw, {}
        if isinstance(raw, dict):
            rows, meta = raw.get("problem_evaluations"), raw.get("evaluation_metadata")
        if isinstance(rows, list) and rows:
            files[path.relative_to(root).as_posix()] = (rows, meta)
    return SimpleNamespace(root=root, oddities=oddities, corpora=corpora, parts=parts, files=files,
                           imported=imported)  # fmt: skip


def read_files(release: SimpleNamespace, setting: str, scorer: str) -> dict[str, list[Verdict]]:
    """The verdicts of a setting by the file they stand in."""
    found: dict[str, list[Verdict]] = {}
    for imported in release.imported.get(setting, {}).values():
        for one in imported.verdicts[scorer]:
            found.setdefault(one.provenance["file"], []).append(one)
    return found


@pytest.mark.heavy
@needs_release
def test_every_family_of_the_release_is_imported(release):
    unknown = {file for file, kind in release.oddities.found if kind == "file not recognised"}
    for file in unknown & release.files.keys():  # none that was evaluated is among them
        assert not {"decision", "predicted_letter", "Secondary_Decision"} & set(
            release.files[file][0][0]
        ), file
    assert release.parts.keys() >= {"zero-shot", "mcq", "detect", "identify", "cross-lingual",
                                    "cs-bn-en", "cs-en-en", "cs-bn-bn", "cs-en-bn"}  # fmt: skip
    for setting, files in release.parts.items():
        for part in files:
            unread = (part.path.relative_to(release.root).as_posix(), "copy of another file")
            held = release.imported[setting][part.model].generations
            assert unread in release.oddities.found or any(one.lang == part.lang for one in held)


@pytest.mark.heavy
@needs_release
def test_yes_decisions_of_the_release_are_its_files_own_totals(release):
    compared = 0
    for setting in release.parts.keys() - {"mcq", "detect", "identify"}:
        for file, verdicts in read_files(release, setting, "judge-a").items():
            rows, meta = release.files[file]
            right = sum(one.correct for one in verdicts)
            assert (
                right == meta["correct_answers"] == sum(row["decision"] == "yes" for row in rows)
            ), file
            assert len(verdicts) == len(rows)
            compared += 1
    assert compared


@pytest.mark.heavy
@needs_release
def test_letters_of_the_release_are_right_where_they_are_the_keys(release):
    for file, verdicts in read_files(release, "mcq", "letter-paper").items():
        rows, _ = release.files[file]
        assert [one.correct for one in verdicts] == [
            row["predicted_letter"] == row["correct_letter"] for row in rows
        ]
        blank = sum(not row["predicted_letter"] for row in rows)
        assert sum(one.status == "no_answer" for one in verdicts) == blank
        outside = sum(row["predicted_letter"] not in ("", *"ABCD") for row in rows)
        tally = release.oddities.found.get((file, "letter outside A-D"))
        assert (tally.count if tally else 0) == outside
        kinds = {release.corpora[one.lang].problems[one.id].kind for one in verdicts}
        assert kinds == {"numerical", "symbolic"}


@pytest.mark.heavy
@needs_release
def test_detections_and_identifications_of_the_release_are_its_files_own_totals(release):
    detected = read_files(release, "detect", "letter-paper")
    identified = read_files(release, "identify", "judge-a")
    assert detected.keys() == identified.keys() and detected
    for file in detected:
        rows, meta = release.files[file]
        yes = sum(one.correct for one in detected[file])
        assert yes == meta["primary_accuracy"]["correct_detections"]
        true = sum(one.correct for one in identified[file])
        assert true == meta["secondary_accuracy"]["true_positives"]
        assert {one.id for one in detected[file]} == {
            name(int(row["Example Number"])) for row in rows
        }


@pytest.mark.heavy
@needs_release
def test_the_sample_of_the_release_is_the_same_in_all_languages(release):
    files = read_files(release, "cross-lingual", "judge-a")
    (ids,) = {tuple(sorted(one.id for one in verdicts)) for verdicts in files.values()}
    kinds = Counter(release.corpora["en"].problems[one].kind for one in ids)
    assert kinds == {"numerical": 50, "symbolic": 50, "proof": 50}


@pytest.mark.heavy
@needs_release
def test_yes_decisions_without_a_confidence_are_counted_and_count(release):
    wanted = {
        file: sum(row.get("decision") == "yes" and row["confidence"] is None for row in rows)
        for file, (rows, _) in release.files.items()
        if "confidence" in rows[0]
    }
    read = {file for setting in release.imported
            for file in read_files(release, setting, SCORERS.get(setting, JUDGES)[0])}  # fmt: skip
    found = {file: one.count for (file, kind), one in release.oddities.found.items()
             if kind == "YES without a confidence"}  # fmt: skip
    assert found == {file: n for file, n in wanted.items() if n and file in read}
    assert found


@pytest.mark.heavy
@needs_release
@pytest.mark.parametrize("language", ["Bangla", "English"])
def test_items_of_the_release_that_give_themselves_away_or_coincide(release, language):
    path = choices_file(language)
    alone = coinciding = 0
    for line in (release.root / path).read_text(encoding="utf-8").split("\n"):
        if not line.strip():
            continue
        raw = json.loads(line)
        texts = [one[2:].strip() for one in raw["Multiple Choices"]]
        right = texts.pop("ABCD".index(raw["Correct Answer"]))
        alone += "$" in right and not any("$" in one for one in texts)
        coinciding += len({right, *texts}) < 4
    assert (alone, coinciding) == (51, 7)
    assert release.oddities.found[path, "key alone in $...$"].count == alone
    assert release.oddities.found[path, "options that coincide"].count == coinciding


@pytest.mark.heavy
@needs_release
def test_stray_blanks_of_the_releases_labels_are_counted_in_every_file(release):
    unread = ("copy of another file", "file not recognised")
    for file, (rows, _) in release.files.items():
        labels = [row.get("answer_type", row.get("Answer Type", "")) for row in rows]
        stray = sum(one != one.strip() for one in labels)
        tally = release.oddities.found.get((file, "kind label with stray blanks"))
        if not any((file, kind) in release.oddities.found for kind in unread):
            assert (tally.count if tally else 0) == stray, file
