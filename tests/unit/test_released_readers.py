"""Released decisions count as stored; the strict reading reads again; what differs is counted."""

from __future__ import annotations

import json

import pytest

from babelmath.records import WITHOUT_TEXT
from babelmath.released.oddities import Oddities
from babelmath.released.readers import UNTOLD, confidence, string
from small_release import (
    FLAWED,
    ITEMS,
    JUDGED_FLAWS,
    JUDGES,
    LANGUAGES,
    MCQ,
    PLAIN,
    ZERO_SHOT,
    chosen_option,
    counts,
    explained,
    import_release,
    judged,
    name,
    solved,
    statuses,
    within,
    write,
)

RIGHT = "They agree.\nDECISION: YES"
NO_REPLY = "no decision in the judge's reply, stored"
UNRESOLVED = "decision that is none of the known words"
MORE = "problems without a record"


def one_judged(root, **changes):
    """Statuses by scorer, and oddities, of a file with one changed entry among eight."""
    write(root / PLAIN, [judged(1, **changes), *(judged(at) for at in range(2, 9))])
    found, oddities = import_release(root, "zero-shot")
    assert [statuses(found)[f"en {at}"] for at in range(2, 9)] == ["correct"] * 7
    return {scorer: statuses(found, scorer)["en 1"] for scorer in JUDGES}, counts(oddities), found


# Answers that a judge judged


@pytest.mark.parametrize(
    ("decision", "status"),
    [
        ("yes", "correct"), ("YES", "correct"), (" Yes \n", "correct"), ("no", "wrong"),
        ("No", "wrong"), ("maybe", "unresolved"), ("", "unresolved"), (None, "unresolved"),
        (True, "unresolved"), (1, "unresolved"), ("yes.", "unresolved"), ("y", "unresolved"),
        (["yes"], "unresolved"), ("yes and no", "unresolved"), (..., "unresolved"),
    ],
)  # fmt: skip
def test_a_stored_decision(tmp_path, decision, status):
    found, odd, imported = one_judged(tmp_path, decision=decision)
    assert found == {"judge-a": status, "judge-a-strict": "correct"}
    expected = {"unresolved": {UNRESOLVED: 1},
                "wrong": {"the judge's reply says YES, stored NO": 1}}  # fmt: skip
    assert odd == expected.get(status, {})
    verdict = imported["gpt-oss-20b"].verdicts["judge-a"][0]
    assert verdict.correct == (status == "correct")
    assert verdict.judge["decision"] == {"correct": "YES", "wrong": "NO"}.get(status)


@pytest.mark.parametrize(
    ("given", "held", "kinds"),
    [
        (0.9, 0.9, []), (1, 1.0, []), (0, 0.0, []), (None, None, ["YES without a confidence"]),
        (..., None, ["YES without a confidence"]),
        ("0.9", None, ["confidence that is no number from 0 to 1"]),
        (True, None, ["confidence that is no number from 0 to 1"]),
        (98, None, ["confidence that is no number from 0 to 1"]),
        (-0.1, None, ["confidence that is no number from 0 to 1"]),
        (10**400, None, ["confidence that is no number from 0 to 1"]),
    ],
)  # fmt: skip
def test_a_confidence_changes_no_decision(tmp_path, given, held, kinds):
    statuses_, odd, imported = one_judged(tmp_path, confidence=given)
    assert set(statuses_.values()) == {"correct"}
    assert list(odd) == kinds
    assert imported["gpt-oss-20b"].verdicts["judge-a"][0].judge["confidence"] == held
    assert confidence(None if given is ... else given) == held


@pytest.mark.parametrize(
    ("reply", "stored", "strict", "kinds"),
    [
        (RIGHT, "yes", "correct", []),
        ("Step 1: the answers", "yes", "unresolved", [f"{NO_REPLY} YES"]),
        ("Step 1: the answers", "no", "unresolved", [f"{NO_REPLY} NO"]),
        ("", "no", "unresolved", [f"{NO_REPLY} NO"]),
        (None, "no", "unresolved", [f"{NO_REPLY} NO"]),
        ("DECISION: YES", "no", "correct", ["the judge's reply says YES, stored NO"]),
        ("DECISION: NO", "yes", "wrong", ["the judge's reply says NO, stored YES"]),
        ("DECISION: YES\nNo:\nDECISION: NO", "no", "wrong", []),
        ("DECISION: YES or NO", "no", "unresolved", [f"{NO_REPLY} NO"]),
        ('{"decision":"YES", "confidence":0.9, "short_reason":"Both', "no", "correct",
         ["the judge's reply says YES, stored NO"]),
        ('{"decision":"', "yes", "unresolved", [f"{NO_REPLY} YES"]),
    ],
)  # fmt: skip
def test_a_judges_reply_counts_in_strict_alone(tmp_path, reply, stored, strict, kinds):
    found, odd, _ = one_judged(tmp_path, final_text=reply, decision=stored)
    paper = "correct" if stored == "yes" else "wrong"
    assert found == {"judge-a": paper, "judge-a-strict": strict}
    assert list(odd) == kinds


def test_a_verdict_says_where_it_stands(tmp_path):
    write(tmp_path / PLAIN, [judged(3), judged(1)], {"model_used": "Qwen/Qwen3-4B"})
    found, _ = import_release(tmp_path, "zero-shot")
    first = found["gpt-oss-20b"].verdicts["judge-a"][0]
    assert (first.id, first.gold, first.extracted) == (name(3), "shown (en) 3", "3")
    assert first.provenance == {"model": "gpt-oss-20b", "generation": None, "source": "release",
                                "file": PLAIN, "entry": 1}  # fmt: skip
    assert first.judge["model"] == "Qwen/Qwen3-4B" and first.judge["raw"] == RIGHT


@pytest.mark.parametrize(
    ("given", "taken", "blank"),
    [
        (["7", "8"], "7\n8", 0), ([7, None], "7\n", 0), ("7", "7", 0), (7.5, "7.5", 0),
        ([], "", 1), ("", "", 1), (None, "", 1), ([None], "", 1), (" ", " ", 1), (..., "", 1),
    ],
)  # fmt: skip
def test_without_the_models_text_the_answers_taken_from_it_are_told(tmp_path, given, taken, blank):
    _, odd, found = one_judged(tmp_path, extracted_final_answers=given)
    first = found["gpt-oss-20b"].generations[0]
    assert (first.answer, first.raw, first.thinking) == (taken, "", "")
    assert first.flags == [UNTOLD, WITHOUT_TEXT]
    assert odd == ({"blank response": 1} if blank else {})


def test_a_generation_file_gives_a_judged_one_its_texts(tmp_path):
    write(tmp_path / PLAIN, [judged(2), judged(1)])
    beside = (
        tmp_path / "Evaluation Results/Zero Shot/final_results_0_to_7_gpt-OSS-20B(English).json"
    )
    write(beside, [solved(1), solved(3)])
    found, oddities = import_release(tmp_path, "zero-shot")
    second, first = found["gpt-oss-20b"].generations
    assert (first.id, first.raw, first.answer) == (name(1), "It is 1.", "It is 1.")
    assert (first.thinking, first.flags) == ("Thought 1.", [UNTOLD])
    assert (second.id, second.raw, second.flags) == (name(2), "", [UNTOLD, WITHOUT_TEXT])
    assert statuses(found) == {"en 1": "correct", "en 2": "correct"}
    assert counts(oddities) == {MORE: 2}


def test_a_generation_file_alone_gives_responses_and_no_verdicts(tmp_path):
    place = "Evaluation Results/CoT/final_results_0_to_1445_DeepSeek_R1_7B(English).json"
    write(tmp_path / place, [*(solved(at) for at in range(1, 8)), solved(8, generated_answer=None)])
    found, oddities = import_release(tmp_path, "cot")
    assert [one.answer for one in found["deepseek-r1-7b"].generations][6:] == ["It is 7.", ""]
    assert found["deepseek-r1-7b"].verdicts == {"judge-a": [], "judge-a-strict": []}
    assert counts(oddities) == {"blank response": 1}


def test_plain_copies_without_question_and_kind_are_read(tmp_path):
    for lang, language in LANGUAGES.items():
        place = f"{ZERO_SHOT}/{language}/evaluation_results_Mathstral_7B_ZS_({language}).json"
        rows = [judged(at, lang, question=..., answer_type=...) for at in range(1, 9)]
        write(tmp_path / place, rows)
    found, oddities = import_release(tmp_path, "zero-shot")
    assert len(statuses(found, model="mathstral-7b")) == 24
    assert not within(oddities)


# Option letters


def one_chosen(root, **changes):
    write(root / MCQ, [chosen_option(1, **changes), *(chosen_option(at) for at in range(2, 7))])
    found, oddities = import_release(root, "mcq")
    statuses_ = [statuses(found, one) for one in ("letter-paper", "letter-strict")]
    for one in statuses_:
        assert [one[f"en {at}"] for at in ITEMS[1:]] == ["correct"] * 5
    return [one["en 1"] for one in statuses_], counts(oddities)


@pytest.mark.parametrize(
    ("letter", "status", "kinds"),
    [
        ("B", "correct", []), ("A", "wrong", []), ("X", "wrong", ["letter outside A-D"]),
        ("b", "wrong", ["letter outside A-D"]), (" B", "wrong", ["letter outside A-D"]),
        ("BC", "wrong", ["letter outside A-D"]), ("AB", "wrong", ["letter outside A-D"]),
        ("", "no_answer", ["no letter stored"]), (None, "no_answer", ["no letter stored"]),
        (..., "no_answer", ["no letter stored"]), (2, "wrong", ["letter outside A-D"]),
    ],
)  # fmt: skip
def test_a_stored_letter(tmp_path, letter, status, kinds):
    found, odd = one_chosen(tmp_path, predicted_letter=letter, is_correct=status == "correct")
    assert found == [status, "correct"]  # the response itself says B
    assert list(odd) == kinds


@pytest.mark.parametrize(
    ("said", "status", "kinds"),
    [("Final Answer: B", "correct", []), ("Final Answer: C", "wrong", []),
     ("A or B", "no_answer", []), ("", "no_answer", ["blank response"]),
     (None, "no_answer", ["blank response"])],
)  # fmt: skip
def test_the_strict_reading_reads_the_response_itself(tmp_path, said, status, kinds):
    found, odd = one_chosen(tmp_path, raw_output=said)
    assert found == ["correct", status]
    assert list(odd) == kinds


@pytest.mark.parametrize(
    ("choices", "strict"),
    [
        (["A. 5", "B. 5", "C. 8", "D. 9"], "correct"),
        (["A. 5 ", "B.  5", "C. 8", "D. 9"], "correct"),
        (["A. $5$", "B. 5", "C. 8", "D. 9"], "wrong"),
        (["A. 7", "B. 5", "C. 7", "D. 9"], "wrong"),
    ],
)
def test_options_that_coincide_count_alike_in_strict_alone(tmp_path, choices, strict):
    found, odd = one_chosen(tmp_path, choices=choices, predicted_letter="A", is_correct=False,
                            raw_output="Final Answer: A")  # fmt: skip
    assert found == ["wrong", strict]
    assert odd == {"options differ from the choices file": 1}


@pytest.mark.parametrize("stored", [True, False])
@pytest.mark.parametrize("letter", ["A", "B"])
def test_is_correct_is_compared_and_never_counts(tmp_path, stored, letter):
    found, odd = one_chosen(tmp_path, is_correct=stored, predicted_letter=letter)
    assert found[0] == ("correct" if letter == "B" else "wrong")
    assert list(odd) == (
        [] if stored == (letter == "B") else ["is_correct contradicts the letters"]
    )


def test_a_key_that_is_not_the_items_is_counted(tmp_path):
    found, odd = one_chosen(tmp_path, correct_letter="C", is_correct=False)
    assert found == ["wrong", "wrong"]
    assert odd == {"key differs from the choices file": 1}


OTHER_KEY = "key differs from the choices file"
NO_KEY = "key outside A-D"
NOT_FOUR = "not four options"


@pytest.mark.parametrize(
    ("change", "kinds"),
    [
        ({"correct_letter": "X"}, [OTHER_KEY, NO_KEY]),
        ({"correct_letter": "X", "predicted_letter": "X"},
         [OTHER_KEY, NO_KEY, "letter outside A-D"]),
        ({"correct_letter": "b"}, [OTHER_KEY, NO_KEY]),
        ({"correct_letter": None}, [OTHER_KEY, NO_KEY]),
        ({"correct_letter": ...}, [OTHER_KEY, NO_KEY]),
        ({"choices": ["A. 1", "B. 2", "C. 3"]}, [NOT_FOUR]),
        ({"choices": ["A. 7", "B. 11", "C. 8", "D. 9", "E. 10"]}, [NOT_FOUR]),
        ({"choices": []}, [NOT_FOUR]),
        ({"choices": "A. 1"}, [NOT_FOUR]),
        ({"choices": ...}, [NOT_FOUR]),
        ({"choices": None, "correct_letter": "E"}, [OTHER_KEY, NO_KEY, NOT_FOUR]),
    ],
)  # fmt: skip
def test_a_record_without_four_options_and_a_key_is_wrong_and_counted(tmp_path, change, kinds):
    found, odd = one_chosen(tmp_path, is_correct=..., **change)
    assert found == ["wrong", "unparsed_gold"]
    assert odd == dict.fromkeys(kinds, 1)


def test_a_record_without_a_key_says_where_it_stands_and_keeps_its_place(tmp_path):
    write(tmp_path / MCQ, [chosen_option(at, **({"correct_letter": "X"} if at == 2 else {}))
                           for at in range(1, 7)])  # fmt: skip
    found, oddities = import_release(tmp_path, "mcq")
    for scorer in ("letter-paper", "letter-strict"):
        verdicts = found["gpt-oss-20b"].verdicts[scorer]
        assert [one.id for one in verdicts] == [name(number) for number in ITEMS]
        assert (verdicts[1].gold, verdicts[1].correct) == ("X", False)
        assert verdicts[1].provenance["entry"] == 2
    assert {oddities.found[MCQ, kind].first for kind in (OTHER_KEY, NO_KEY)} == {2}


@pytest.mark.parametrize(
    ("choices", "kinds"),
    [
        (["A. 7", "B. 11", "C. 8", "D. 9"], []),
        (["7", "B) 11", "C: 8", "D. 9"], []),  # the letters before them do not count
        (["A. 7", "B. 11", "C. 9", "D. 8"], ["options differ from the choices file"]),
        (["A. 7", "B. 12", "C. 8", "D. 9"], ["options differ from the choices file"]),
    ],
)  # fmt: skip
def test_options_that_are_not_the_items_are_counted_and_the_letters_count(tmp_path, choices, kinds):
    found, odd = one_chosen(tmp_path, choices=choices)
    assert found == ["correct", "correct"]
    assert odd == dict.fromkeys(kinds, 1)


# Flawed solutions


def one_explained(root, setting, **changes):
    write(root / JUDGED_FLAWS, [explained(1, **changes), explained(2)])
    found, oddities = import_release(root, setting)
    scorers = ("letter-paper",) if setting == "detect" else JUDGES
    for one in scorers:
        assert statuses(found, one)["en 2"] == "correct"
    return [statuses(found, one)["en 1"] for one in scorers], counts(oddities), found


@pytest.mark.parametrize(
    ("decision", "status"),
    [("YES", "correct"), ("yes", "correct"), (" Yes\n", "correct"), ("NO", "wrong"),
     ("maybe", "unresolved"), ("", "unresolved"), (None, "unresolved"), (..., "unresolved"),
     (True, "unresolved"), ("YES, it is", "unresolved")],
)  # fmt: skip
def test_a_detection(tmp_path, decision, status):
    found, odd, imported = one_explained(tmp_path, "detect", Decision=decision)
    assert found == [status]
    blank = decision in ("", None, ...)
    assert odd == ({UNRESOLVED: 1} if status == "unresolved" else {}) | (
        {"blank response": 1} if blank else {}
    )
    assert imported["gpt-oss-20b"].verdicts["letter-paper"][0].gold == "YES"


@pytest.mark.parametrize(
    ("decision", "paper"),
    [
        ("True Positive", "correct"), (" true  positive ", "correct"), ("False Positive", "wrong"),
        ("False Negative", "wrong"), ("maybe", "unresolved"), ("", "unresolved"),
        (None, "unresolved"), (..., "unresolved"), ("TP", "unresolved"), ("YES", "unresolved"),
        ("True Negative", "unresolved"), (True, "unresolved"),
    ],
)  # fmt: skip
def test_an_identification(tmp_path, decision, paper):
    found, odd, _ = one_explained(tmp_path, "identify", Secondary_Decision=decision)
    assert found == [paper, "correct"]
    word = {"False Positive": "FP", "False Negative": "FN"}.get(decision)
    if paper == "unresolved":
        assert odd == {f"secondary {UNRESOLVED}": 1}
    else:
        assert odd == ({f"the judge's reply says TP, stored {word}": 1} if word else {})


@pytest.mark.parametrize(
    "evaluation", [None, ..., "text", {}, {"final_text": "It is a true", "confidence": 1}]
)
def test_an_identification_without_the_judges_reply(tmp_path, evaluation):
    found, odd, _ = one_explained(tmp_path, "identify", gemini_evaluation=evaluation)
    assert found == ["correct", "unresolved"]
    assert odd.pop("no decision in the judge's reply, stored TP") == 1
    assert set(odd) <= {"TP without a confidence"}


def test_a_true_positive_where_no_error_was_detected_is_counted(tmp_path):
    found, odd, _ = one_explained(tmp_path, "identify", Decision="No")
    assert found == ["correct", "correct"]
    assert odd == {"true positive where no error was detected": 1}


def test_the_explanation_is_the_response(tmp_path):
    _, odd, found = one_explained(tmp_path, "identify", llm_generated_error_desc=None,
                                  llm_no_error_justification="No error.")  # fmt: skip
    first, second = found["gpt-oss-20b"].generations
    assert (first.answer, second.answer) == ("No error.", "A step is left out.")
    assert first.flags == [UNTOLD] and not odd


def test_oddities_of_a_file_that_two_settings_read_count_once(tmp_path):
    rows = [explained(1, note=1, **{"Answer Type": " Numerical"}), explained(2)]
    write(tmp_path / JUDGED_FLAWS, rows, {"total_problems": 3})
    oddities = Oddities(tmp_path)
    for setting in ("detect", "identify"):
        import_release(tmp_path, setting, oddities=oddities)
    assert counts(oddities) == {
        "unknown field note": 1,
        "kind label with stray blanks": 1,
        "its own number of records differs": 1,
    }


def test_detections_need_no_judged_file(tmp_path):
    rows = [explained(at, Secondary_Decision=..., gemini_evaluation=...) for at in (1, 2)]
    rows[1]["Decision"] = "NO"
    write(tmp_path / FLAWED / "Perturbation_identification_GPT_English_150.json", rows)
    found, oddities = import_release(tmp_path, "detect")
    assert statuses(found, "letter-paper") == {"en 1": "correct", "en 2": "wrong"}
    found, _ = import_release(tmp_path, "identify")
    assert [one.answer for one in found["gpt-oss-20b"].generations] == ["A step is left out."] * 2
    assert not found["gpt-oss-20b"].verdicts["judge-a"] and not within(oddities)


def test_a_judged_perturbation_file_is_read_instead_of_the_one_beside_it(tmp_path):
    write(tmp_path / JUDGED_FLAWS, [explained(1), explained(2)])
    beside = [explained(at, Secondary_Decision=..., Decision="NO") for at in (1, 2)]
    write(tmp_path / FLAWED / "Perturbation_identification_GPT_English_150.json", beside)
    found, oddities = import_release(tmp_path, "detect")
    assert statuses(found, "letter-paper") == {"en 1": "correct", "en 2": "correct"}
    assert len(found["gpt-oss-20b"].generations) == 2
    assert counts(oddities) == {"unknown field gemini_evaluation": 2}


@pytest.mark.parametrize(
    ("value", "text"), [("a", "a"), (None, ""), (7, "7"), (True, "True"), (["a"], "['a']")]
)
def test_other_values_are_told_as_they_print(value, text):
    assert string(value) == text
    json.dumps(text)
