"""Multiple-choice items.

Needs: problems in the source languages and how these write numbers, the choices section, the
distractor prompt.
Gives: results/mathmist/choices/{lang}.jsonl, the same options in every source language; every
candidate and why it was refused in results/mathmist/construction/choices.jsonl.
"""


rule propose_distractors:
    """Ask a model which wrong values a wrong formula gives for the MathMist problems."""
    input:
        problems=f"{R}/mathmist/problems/en.jsonl",
        prompts=building_files("mathmist", "distractor"),
    output:
        f"{R}/mathmist/construction/distractors.jsonl",
    log:
        "logs/propose_distractors.log",
    conda:
        engine_env(building_models("mathmist", "choices"))
    threads: lambda w: threads_for(building_models("mathmist", "choices"))
    resources:
        **asking(lambda w: building_models("mathmist", "choices")),
    params:
        how=lambda w: MATHMIST.choices.model_dump(),
        models=dumped(building_models("mathmist", "choices")),
        running=running(building_models("mathmist", "choices")),
        prompts=lambda w: PROMPTS,
        journal=Path(CONFIG.paths.journal),
        seed=CONFIG.seed,
        code=code("propose_distractors"),
    script:
        "../scripts/propose_distractors.py"


rule make_choices:
    """Verify three distractors for each numerical and symbolic MathMist problem."""
    input:
        problems=problem_files("mathmist", source_languages("mathmist")),
        proposals=f"{R}/mathmist/construction/distractors.jsonl",
        languages=language_files(source_languages("mathmist")),
    output:
        choices=choice_files() if not imported_section("choices") else [],
        made=f"{R}/mathmist/construction/choices.jsonl",
    log:
        "logs/make_choices.log",
    conda:
        "../envs/scoring.yaml"
    params:
        how=lambda w: MATHMIST.choices.model_dump(),
        languages=source_languages("mathmist"),
        equivalence=CONFIG.equivalence.model_dump(),
        seed=CONFIG.seed,
        code=code("make_choices"),
    script:
        "../scripts/make_choices.py"
