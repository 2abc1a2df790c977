"""Prompt files: which one is taken, what it must and may hold, and how it is filled in."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from babelmath import perturbation, translation
from babelmath.distractors import PROMPT as DISTRACTOR
from babelmath.errors import InputError
from babelmath.judging import AGAIN_PROMPT, AGAIN_PURPOSE, JUDGE_PROMPTS, JUDGE_PURPOSES
from babelmath.prompts import OPTIONAL, REQUIRED, Prompt, load_prompt, prompt_path

SETTINGS = {
    "mathmist/zero-shot": "solve",
    "mathmist/cot": "solve",
    "mathmist/code-switching": "solve",
    "mathmist/mcq": "choose",
    "mathmist/detect": "detect",
    "mathmist/identify": "identify",
    "mmath/native": "solve",
    "mmath/atp": "solve",
    "mmath/dit": "opening",
    "mmath/qrt": "opening",
}
PURPOSES = {
    **SETTINGS,
    **translation.PAIRED_PROMPTS,
    **translation.ROUND_PROMPTS,
    **perturbation.PROMPTS,
    **{JUDGE_PROMPTS[task]: JUDGE_PURPOSES[task] for task in JUDGE_PROMPTS},
    AGAIN_PROMPT: AGAIN_PURPOSE,
    DISTRACTOR: "distractor",
}
REPOSITORY = Path(__file__).resolve().parents[2]
FILES = sorted((REPOSITORY / "prompts").rglob("*.txt"))
MMATH = ["en", "zh", "ar", "es", "fr", "ja", "ko", "pt", "th", "vi"]


def named(path: Path) -> str:
    return str(path.relative_to(REPOSITORY / "prompts").with_suffix(""))


def write(folder: Path, text: str | bytes, name: str = "p") -> Path:
    path = folder / f"{name}.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def loaded(folder: Path, text: str, purpose: str = "solve") -> Prompt:
    write(folder, text)
    return load_prompt(folder, "p", purpose)


def refusal(folder: Path, text: str | bytes, purpose: str = "solve") -> InputError:
    path = write(folder, text)
    with pytest.raises(InputError) as caught:
        load_prompt(folder, "p", purpose)
    assert caught.value.file == str(path)
    return caught.value


@pytest.mark.parametrize("path", FILES, ids=named)
def test_every_prompt_of_the_repository_loads_for_its_purpose(path):
    name, _, lang = named(path).partition(".")
    prompt = load_prompt(REPOSITORY / "prompts", name, PURPOSES[name], lang or None)
    assert prompt.path == path
    known = REQUIRED[PURPOSES[name]] | OPTIONAL.get(PURPOSES[name], frozenset())
    filled = prompt.messages(**{placeholder: f"<{placeholder}>" for placeholder in known})
    assert all(f"<{placeholder}>" in str(filled) for placeholder in REQUIRED[PURPOSES[name]])
    assert "{{" not in str(filled)


@pytest.mark.parametrize("name", sorted(PURPOSES))
def test_every_prompt_that_the_code_names_has_a_file(name):
    assert any(named(path).partition(".")[0] == name for path in FILES)


@pytest.mark.parametrize("lang", MMATH)
@pytest.mark.parametrize("name", ["native", "atp", "dit", "qrt"])
def test_prompts_of_mmath_have_a_file_for_every_language(name, lang):
    path = prompt_path(REPOSITORY / "prompts", f"mmath/{name}", lang)
    assert path.name == f"{name}.{lang}.txt"


@pytest.mark.parametrize("lang", MMATH)
def test_opening_the_thought_with_the_question_repeats_the_question(lang):
    prompt = load_prompt(REPOSITORY / "prompts", "mmath/qrt", "opening", lang)
    assert "{{question}}" in prompt.parts[0][1]


def test_the_languages_own_file_wins_over_the_common_one(tmp_path):
    write(tmp_path, "common {{question}}")
    write(tmp_path, "français {{question}}", "p.fr")
    assert load_prompt(tmp_path, "p", "solve", "fr").parts == (("user", "français {{question}}"),)
    assert load_prompt(tmp_path, "p", "solve", "en").parts == (("user", "common {{question}}"),)
    assert load_prompt(tmp_path, "p", "solve").parts == (("user", "common {{question}}"),)


def test_a_missing_file_is_refused_with_the_names_it_may_have(tmp_path):
    with pytest.raises(InputError, match="no such prompt file") as caught:
        load_prompt(tmp_path, "mathmist/none", "solve", "fr")
    assert caught.value.file == str(tmp_path / "mathmist" / "none.txt")
    assert "mathmist/none.LANG.txt" in str(caught.value)


@pytest.mark.parametrize("purpose", sorted(REQUIRED))
def test_each_placeholder_that_a_purpose_needs_is_missed_by_name(tmp_path, purpose):
    for missing in REQUIRED[purpose]:
        text = "Do it. " + " ".join(f"{{{{{one}}}}}" for one in REQUIRED[purpose] - {missing})
        error = refusal(tmp_path, text, purpose)
        assert error.field == missing
        assert f"{{{{{missing}}}}} is missing" in error.problem


@pytest.mark.parametrize(
    "unknown", ["answer", "Question", "question_lang", "", " question ", "question-language", "a b"]
)
def test_an_unknown_placeholder_is_refused_with_its_line(tmp_path, unknown):
    error = refusal(tmp_path, f"First {{{{question}}}}\n\nthen {{{{{unknown}}}}}\n")
    assert "unknown placeholder" in error.problem
    assert (error.line, error.field) == (3, unknown)
    assert "Known are question, question_language, reasoning_language" in str(error)


def test_a_placeholder_of_another_purpose_is_unknown(tmp_path):
    assert "{{options}}" in refusal(tmp_path, "{{question}} {{options}}", "solve").problem
    assert loaded(tmp_path, "{{question}} {{options}}", "choose").parts


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("[system]\n\n[user]\n{{question}}\n", "system"),
        ("[system]\nBe brief. {{question}}\n[user]\n", "user"),
        ("[system]\n{{question}}\n[user]\n \t\n\n", "user"),
    ],
)
def test_an_empty_part_is_refused(tmp_path, text, field):
    error = refusal(tmp_path, text)
    assert (error.problem, error.field) == (f"part [{field}] is empty", field)


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_an_empty_file_is_refused(tmp_path, text):
    assert refusal(tmp_path, text, "opening").problem == "part [user] is empty"


@pytest.mark.parametrize(
    "text",
    [
        "[user]\n{{question}}\n[system]\nBe brief.\n",
        "[system]\n{{question}}\n",
        "[user]\n{{question}}\n[user]\nmore\n",
        "[system]\na\n[system]\nb\n[user]\n{{question}}\n",
    ],
)
def test_parts_in_another_order_are_refused(tmp_path, text):
    assert "[system] then [user]" in refusal(tmp_path, text).problem


def test_text_before_the_first_part_is_refused(tmp_path):
    error = refusal(tmp_path, "Hello.\n[user]\n{{question}}\n")
    assert (error.problem, error.line) == ("text before the first part", 1)


def test_a_file_that_is_not_utf8_is_refused_with_its_line(tmp_path):
    error = refusal(tmp_path, b"{{question}}\nR\xe9ponds.\n")
    assert (error.problem, error.line) == ("not UTF-8", 2)


def test_parts_become_messages_in_their_order(tmp_path):
    prompt = loaded(tmp_path, "[system]\nBe brief.\n\n[user]\n\nSolve {{question}}\n")
    assert prompt.messages(question="$1+1$") == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Solve $1+1$"},
    ]


def test_a_file_without_parts_is_the_users(tmp_path):
    assert loaded(tmp_path, "Solve {{question}}\n").parts == (("user", "Solve {{question}}"),)


def test_a_byte_order_mark_hides_no_part(tmp_path):
    prompt = loaded(tmp_path, "\ufeff[user]\n{{question}}\n")
    assert prompt.parts == (("user", "{{question}}"),)


def test_windows_line_ends_hide_no_part(tmp_path):
    prompt = loaded(tmp_path, "[system]\r\nBe brief.\r\n[user]\r\n{{question}}\r\n")
    assert prompt.parts == (("system", "Be brief."), ("user", "{{question}}"))


@pytest.mark.parametrize("text", [r"\boxed{} {{question}}", r"{x} {} }{ { {{question}}", "[User]"])
def test_single_braces_and_other_brackets_are_ordinary_text(tmp_path, text):
    prompt = loaded(tmp_path, text, "opening")
    assert prompt.text(question="q") == text.replace("{{question}}", "q")


def test_a_placeholder_is_filled_in_wherever_it_stands(tmp_path):
    prompt = loaded(tmp_path, "{{question}} and {{question}} in {{question_language}}")
    assert prompt.text(question="q", question_language="French") == "q and q in French"


@pytest.mark.parametrize("question", ["{{question_language}}", "{{question}}", "{{x}} \\1 \\g<0>"])
def test_braces_inside_a_question_are_not_expanded(tmp_path, question):
    prompt = loaded(tmp_path, "{{question}} in {{question_language}}")
    assert prompt.text(question=question, question_language="French") == f"{question} in French"


@settings(deadline=None)
@given(st.text(), st.text())
def test_a_question_stands_in_the_message_as_it_is(question, language):
    prompt = Prompt(Path("p.txt"), (("user", "<{{question_language}}|{{question}}>"),))
    (message,) = prompt.messages(question=question, question_language=language)
    assert message["content"] == f"<{language}|{question}>"
