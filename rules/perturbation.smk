"""Flawed solutions, and people's review of them.

Needs: problems in the source languages, the perturbation section, prompts, config/review/.
Gives: results/mathmist/perturbed/{lang}.jsonl.
Steps: the model writes and a checker reads, kept in results/mathmist/construction/; then review.
"""


rule perturb:
    """Write flawed MathMist solutions by the configured strategies and check them."""
    input:
        problems=problem_files("mathmist", source_languages("mathmist")),
        prompts=building_files("mathmist", "perturb"),
        languages=language_files(source_languages("mathmist")),
    output:
        f"{R}/mathmist/construction/perturbation.jsonl",
    log:
        "logs/perturb.log",
    conda:
        engine_env(building_models("mathmist", "perturbation"))
    threads: lambda w: threads_for(building_models("mathmist", "perturbation"))
    resources:
        **asking(lambda w: building_models("mathmist", "perturbation")),
    params:
        how=lambda w: MATHMIST.perturbation.model_dump(),
        sample=lambda w: MATHMIST.sample.model_dump(),
        languages=source_languages("mathmist"),
        models=dumped(building_models("mathmist", "perturbation")),
        running=running(building_models("mathmist", "perturbation")),
        prompts=lambda w: PROMPTS,
        journal=Path(CONFIG.paths.journal),
        seed=CONFIG.seed,
        code=code("perturb"),
    script:
        "../scripts/perturb.py"


rule review_perturbation:
    """Apply people's corrections to the flawed MathMist solutions in {wildcards.lang}."""
    input:
        problems=f"{R}/mathmist/problems/{{lang}}.jsonl",
        made=f"{R}/mathmist/construction/perturbation.jsonl",
        review=lambda w: existing(f"{review_folder('mathmist')}/perturbation/{w.lang}.csv"),
    output:
        f"{R}/mathmist/perturbed/{{lang}}.jsonl",
    log:
        "logs/review_perturbation/{lang}.log",
    wildcard_constraints:
        lang=one_of([] if imported_section("perturbation") else source_languages("mathmist")),
    conda:
        "../envs/scoring.yaml"
    params:
        review=lambda w: f"{review_folder('mathmist')}/perturbation/{w.lang}.csv",
        code=code("review_perturbation"),
    script:
        "../scripts/review_perturbation.py"
