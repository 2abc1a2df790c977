"""Released files are told apart by place and name; what cannot be told is counted, never lost."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from babelmath.errors import InputError
from babelmath.released.layout import (
    FOLDERS,
    RESULTS,
    Part,
    chosen,
    recognise,
    result_files,
    sort_files,
)
from babelmath.released.oddities import Oddities
from small_release import (
    CROSS,
    FLAWED,
    MCQ,
    MODELS,
    PLAIN,
    TYPED,
    ZERO_SHOT,
    within,
    without_files,
)

NAMES = {"Bangla": "bn", "English": "en", "French": "fr", "Finnish": "fi", "Kazakh": "kk",
         "Lithuanian": "lt", "Turkish": "tr"}  # fmt: skip
ROOT = Path("/release")
SWITCHED = "Evaluation Results/Code Switching/Ques(B+E) CoT(E)"


def told(place: str) -> list[Part] | str:
    return recognise(ROOT, ROOT / place, MODELS, NAMES)


@pytest.mark.parametrize(
    ("place", "family", "setting", "model", "lang", "rank"),
    [
        (PLAIN, "judged", "zero-shot", "gpt-oss-20b", "en", 0),
        (TYPED, "judged", "zero-shot", "gpt-oss-20b", "en", 1),
        (f"{ZERO_SHOT}/Bangla/with Answer Type/evaluation_results_Qwen8B_ZERO_SHOT(Bangla).json",
         "judged", "zero-shot", "qwen3-8b", "bn", 1),
        (f"{ZERO_SHOT}/Bangla/evaluation_results_Zero_SHOT_DeepSeek_Math_7B(Bangla).json",
         "judged", "zero-shot", "deepseek-r1-7b", "bn", 0),
        (f"{ZERO_SHOT}/Bangla/with Answer Type/evaluation_results_ZS_DeepSeek_Math_7B(Bangla).json",
         "judged", "zero-shot", "deepseek-r1-7b", "bn", 1),
        (f"{RESULTS}/Zero Shot/final_results_0_to_1445_DeepSeek_R1_7B(English).json",
         "generations", "zero-shot", "deepseek-r1-7b", "en", 0),
        (f"{RESULTS}/CoT/final_results_0_to_1444_gpt-OSS-20B_CoT(Bangla).json",
         "generations", "cot", "gpt-oss-20b", "bn", 0),
        (f"{RESULTS}/CoT/Accuracy Check/evaluation_results_Mathstral_7B_CoT(English).json",
         "judged", "cot", "mathstral-7b", "en", 0),
        (f"{CROSS}/Kazakh/Accuracy Check/evaluation_results_Kazakh_Mathstral_150.json",
         "judged", "cross-lingual", "mathstral-7b", "kk", 0),
        (f"{CROSS}/Turkish/Accuracy Check/evaluation_results_Turkish_Mathstral_150.json",
         "judged", "cross-lingual", "mathstral-7b", "tr", 0),
        (f"{CROSS}/French/Accuracy Check/evaluation_results_French_DeepSeek_R1_150.json",
         "judged", "cross-lingual", "deepseek-r1-7b", "fr", 0),
        (f"{CROSS}/Lithuanian/Lithuanian_GPT_150.json",
         "generations", "cross-lingual", "gpt-oss-20b", "lt", 0),
        (f"{SWITCHED}/evaluation_results_GPT-OSS_20B_Q(B)_CoT(E).json",
         "judged", "cs-bn-en", "gpt-oss-20b", "bn", 0),
        (f"{SWITCHED}/evaluation_results_DeepSeek_7B_Q(E)_CoT(B).json",
         "judged", "cs-en-bn", "deepseek-r1-7b", "en", 0),
        (f"{SWITCHED}/results_Qwen_8B_Q(E)CoT(E).json",
         "generations", "cs-en-en", "qwen3-8b", "en", 0),
        (f"{RESULTS}/MCQ/Bangla/Zero Shot MCQ Bangla Evaluation(Phi-4).json",
         "choices", "mcq", "phi-4", "bn", 0),
        (f"{RESULTS}/MCQ/English/Zero Shot MCQ English Evaluation(Qwen-3 8B).JSON",
         "choices", "mcq", "qwen3-8b", "en", 0),
    ],
)  # fmt: skip
def test_the_releases_own_places_are_known(place, family, setting, model, lang, rank):
    assert told(place) == [Part(ROOT / place, family, setting, model, lang, rank)]


@pytest.mark.parametrize(
    ("place", "family"),
    [
        (
            f"{FLAWED}/Accuracy Check/justification_evaluation_results_GPT_English.json",
            "identified",
        ),
        (f"{FLAWED}/Perturbation_identification_GPT_English_150.json", "generations"),
    ],
)
def test_a_perturbation_file_holds_detection_and_identification(place, family):
    found = told(place)
    assert [(one.family, one.setting, one.lang) for one in found] == [
        (family, "detect", "en"), (family, "identify", "en"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (f"{RESULTS}/Zero Shot MCQ English Evaluation(Phi-4).json", "no setting"),
        (f"{RESULTS}/Fine Tuning/English/results_GPT.json", "no setting"),
        (f"{RESULTS}/MCQ/English/Zero Shot MCQ English Evaluation(Llama).json", "no configured"),
        (f"{RESULTS}/MCQ/English/DeepSeek_Distill_Qwen.json", "more than one"),
        (f"{RESULTS}/MCQ/Zero Shot MCQ Evaluation(Phi-4).json", "language"),
        (f"{RESULTS}/MCQ/English and Bangla/Evaluation(Phi-4).json", "language"),
        (f"{RESULTS}/MCQ/Zero Shot MCQ English Bangla(Phi-4).json", "language"),
        (f"{RESULTS}/MCQ/German/Zero Shot MCQ German(Phi-4).json", "language"),
        (f"{SWITCHED}/evaluation_results_GPT-OSS_20B.json", "Q(..)"),
        (f"{SWITCHED}/evaluation_results_GPT-OSS_20B_Q(F)_CoT(E).json", "Q(..)"),
        (f"{PLAIN}.bak", "does not end"),
        (f"{PLAIN}l", "does not end"),
        (f"{RESULTS}/MCQ/English/notes GPT.txt", "does not end"),
    ],
)
def test_what_cannot_be_told_says_why(place, words):
    assert words in told(place)


PIECES = st.lists(
    st.one_of(st.sampled_from(["Zero Shot", "CoT", "Code Switching", "MCQ", "Perturbation",
                               "Accuracy Check", "English", "GPT_Q(B)_CoT(E).json", "x.json"]),
              st.text(st.characters(exclude_characters="/\0"), min_size=1, max_size=12)),
    min_size=1, max_size=5,
)  # fmt: skip


@given(PIECES)
def test_any_path_is_told_or_refused_in_words(pieces):
    found = told("/".join([RESULTS, *pieces]))
    if isinstance(found, str):
        assert found
    else:
        assert found[0].lang in NAMES.values() and found[0].model in MODELS
        assert re.fullmatch(r"cs-(bn|en)-(bn|en)|detect|.+", found[0].setting)
        assert found[0].setting in {*FOLDERS.values(), "detect"} or found[0].setting[:3] == "cs-"


def put(root: Path, *places: str) -> None:
    """Files without entries, each with bytes of its own."""
    for place in places:
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        (root / place).write_text(json.dumps({"name": place}), encoding="utf-8")


def sorted_files(root: Path, *languages: str) -> tuple[dict[str, list[Part]], dict[str, str]]:
    """Parts by setting, and the reasons of the files that were not recognised."""
    oddities = Oddities(root)
    found = sort_files(root, MODELS, NAMES, languages or ("bn", "en"), oddities)
    assert {kind for _, kind in within(oddities)} <= {"file not recognised"}
    named = {part.model for parts in found.values() for part in parts}
    assert without_files(oddities) == MODELS.keys() - named
    return found, {file: tally.example for (file, _), tally in within(oddities).items()}


def test_files_are_sorted_by_setting_and_others_counted(tmp_path):
    put(tmp_path, PLAIN, TYPED, MCQ, f"{RESULTS}/.DS_Store", f"{RESULTS}/MCQ/.DS_Store",
        f"{RESULTS}/MCQ/English/renamed.json", f"{RESULTS}/readme.txt")  # fmt: skip
    found, unknown = sorted_files(tmp_path)
    assert {setting: len(parts) for setting, parts in found.items()} == {"mcq": 1, "zero-shot": 2}
    assert unknown.keys() == {f"{RESULTS}/MCQ/English/renamed.json", f"{RESULTS}/readme.txt"}


@pytest.mark.parametrize("ending", ["", ".txt", ".json.bak", ".jsonl", " .json_"])
def test_a_file_whose_ending_was_changed_is_counted(tmp_path, ending):
    put(tmp_path, MCQ.removesuffix(".json") + ending)
    found, unknown = sorted_files(tmp_path)
    assert not found and "does not end in .json" in unknown.popitem()[1]


def test_languages_that_are_not_imported_are_passed_over(tmp_path):
    put(tmp_path, f"{CROSS}/Kazakh/Kazakh_GPT_150.json")
    assert sorted_files(tmp_path) == ({}, {})
    assert sorted_files(tmp_path, "kk")[0].keys() == {"cross-lingual"}


def test_a_model_without_a_file_is_counted_with_the_words_that_its_files_would_have(tmp_path):
    put(tmp_path, PLAIN, f"{CROSS}/Kazakh/Kazakh_Qwen_150.json")
    oddities = Oddities(tmp_path)
    sort_files(tmp_path, MODELS, NAMES, ("bn", "en"), oddities)
    assert without_files(oddities) == MODELS.keys() - {"gpt-oss-20b"}  # no Kazakh is imported
    tally = oddities.found[RESULTS, "no file of phi-4"]
    assert (tally.count, tally.first, tally.example, tally.handling) == (
        1, None, "'Phi'", "no records",
    )  # fmt: skip


def test_files_of_the_same_bytes_are_counted_beside_the_first_and_all_are_read(tmp_path):
    models = {"a": "GPT", "b": "Phi", "c": "Qwen", "d": "Mathstral"}
    places = [
        f"{RESULTS}/MCQ/English/{letter} Evaluation({one}).json" for letter, one in models.items()
    ]
    put(tmp_path, *places, f"{RESULTS}/MCQ/English/notes.txt")
    for place in (places[2], places[3], f"{RESULTS}/MCQ/English/notes.txt"):
        (tmp_path / place).write_bytes((tmp_path / places[0]).read_bytes())
    oddities = Oddities(tmp_path)
    found = sort_files(tmp_path, MODELS, NAMES, ("bn", "en"), oddities)
    assert [part.path for part in found["mcq"]] == [tmp_path / place for place in places]
    same = {file: tally.example for (file, kind), tally in within(oddities).items()
            if kind == "same bytes as another file"}  # fmt: skip
    assert same == dict.fromkeys(places[2:], "'a Evaluation(GPT).json'")


def test_a_file_that_cannot_be_read_is_refused_by_name(tmp_path, monkeypatch):
    def refused(_: Path) -> str:
        raise PermissionError(13, "Permission denied")

    put(tmp_path, MCQ)
    monkeypatch.setattr("babelmath.released.layout.sha256_file", refused)
    with pytest.raises(InputError, match="cannot be read: Permission denied") as caught:
        sorted_files(tmp_path)
    assert caught.value.file == str(tmp_path / MCQ)


def test_folders_and_links_named_like_files_are_counted(tmp_path):
    (tmp_path / MCQ).mkdir(parents=True)
    inside = f"{RESULTS}/MCQ/English/Evaluation(Qwen).json"
    (tmp_path / inside).symlink_to(tmp_path / "nowhere")
    (tmp_path / RESULTS / "MCQ" / "more").symlink_to(tmp_path / RESULTS)
    found, unknown = sorted_files(tmp_path)
    assert not found
    assert set(unknown) == {MCQ, inside, f"{RESULTS}/MCQ/more"}


def test_a_release_without_results_has_none(tmp_path):
    assert result_files(tmp_path) == []
    assert result_files(tmp_path / "nowhere") == []


def test_results_that_are_no_folder_are_refused(tmp_path):
    (tmp_path / RESULTS).write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be read") as caught:
        result_files(tmp_path)
    assert caught.value.file == str(tmp_path / RESULTS)


def part(place: str, rank: int = 0, model: str = "phi-4", family: str = "judged") -> Part:
    return Part(Path(place), family, "zero-shot", model, "en", rank)  # type: ignore[arg-type]


def test_the_copy_of_higher_rank_is_read_and_others_are_counted_in_any_order():
    parts = [part("a"), part("b"), part("c", rank=1), part("d", model="qwen3-8b")]
    for order in itertools.permutations(parts):
        oddities = Oddities()
        read = chosen(order, oddities)
        assert {one.path.name for one in read.values()} == {"c", "d"}
        assert {key: tally.count for key, tally in oddities.found.items()} == {
            ("a", "copy of another file"): 1, ("b", "copy of another file"): 1,
        }  # fmt: skip


def test_two_files_for_one_place_are_refused_by_both_names():
    for ranks in ((0, 0), (1, 1)):
        with pytest.raises(InputError, match="phi-4 in en") as caught:
            chosen([part("here.json", ranks[0]), part("there.json", ranks[1])], Oddities())
        assert {"here.json", "there.json"} <= set(re.findall(r"\w+\.json", str(caught.value)))


def test_families_of_one_model_stand_beside_each_other():
    parts = [part("a"), part("b", family="generations")]
    assert len(chosen(parts, Oddities())) == 2
