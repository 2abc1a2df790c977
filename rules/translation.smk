"""Translation from English, and people's review of it.

Needs: English problems, a benchmark's translation section, prompts, config/review/.
Gives: results/{benchmark}/problems/{lang}.jsonl for every language without a source.
Steps: the models' own attempt (MathMist: translator and verifier; MMATH: rounds over verifiers),
kept in results/{benchmark}/construction/; then the review's corrections.
"""


rule translate_mathmist:
    """Translate MathMist into all languages it lacks, each text approved by a verifier."""
    input:
        problems=f"{R}/mathmist/problems/en.jsonl",
        prompts=building_files("mathmist", ("translate", "verify")),
        languages=language_files(made_languages("mathmist")),
    output:
        translation_files("mathmist"),
    log:
        "logs/translate/mathmist.log",
    conda:
        engine_env(building_models("mathmist", "translation"))
    threads: lambda w: threads_for(building_models("mathmist", "translation"))
    resources:
        **asking(lambda w: building_models("mathmist", "translation")),
    params:
        benchmark="mathmist",
        languages=made_languages("mathmist"),
        how=lambda w: MATHMIST.translation.model_dump(),
        sample=lambda w: translated_sample("mathmist"),
        models=dumped(building_models("mathmist", "translation")),
        running=running(building_models("mathmist", "translation")),
        prompts=lambda w: PROMPTS,
        journal=Path(CONFIG.paths.journal),
        seed=CONFIG.seed,
        code=code("translate"),
    script:
        "../scripts/translate.py"


use rule translate_mathmist as translate_mmath with:
    input:
        problems=f"{R}/mmath/problems/en.jsonl",
        prompts=building_files("mmath", ("translate", "verify")),
        languages=language_files(made_languages("mmath")),
    output:
        translation_files("mmath"),
    log:
        "logs/translate/mmath.log",
    conda:
        engine_env(building_models("mmath", "translation"))
    threads: lambda w: threads_for(building_models("mmath", "translation"))
    resources:
        **asking(lambda w: building_models("mmath", "translation")),
    params:
        benchmark="mmath",
        languages=made_languages("mmath"),
        how=lambda w: MMATH.translation.model_dump(),
        sample=lambda w: translated_sample("mmath"),
        models=dumped(building_models("mmath", "translation")),
        running=running(building_models("mmath", "translation")),
        prompts=lambda w: PROMPTS,
        journal=Path(CONFIG.paths.journal),
        seed=CONFIG.seed,
        code=code("translate"),


rule review_mathmist:
    """Apply people's corrections to the MathMist translations into {wildcards.lang}."""
    input:
        problems=f"{R}/mathmist/problems/en.jsonl",
        made=f"{R}/mathmist/construction/translation/{{lang}}.jsonl",
        review=lambda w: existing(f"{review_folder('mathmist')}/translation/{w.lang}.csv"),
    output:
        f"{R}/mathmist/problems/{{lang}}.jsonl",
    log:
        "logs/review_translation/mathmist.{lang}.log",
    wildcard_constraints:
        lang=one_of(made_languages("mathmist")),
    conda:
        "../envs/scoring.yaml"
    params:
        review=lambda w: f"{review_folder('mathmist')}/translation/{w.lang}.csv",
        code=code("review_translation"),
    script:
        "../scripts/review_translation.py"


use rule review_mathmist as review_mmath with:
    input:
        problems=f"{R}/mmath/problems/en.jsonl",
        made=f"{R}/mmath/construction/translation/{{lang}}.jsonl",
        review=lambda w: existing(f"{review_folder('mmath')}/translation/{w.lang}.csv"),
    output:
        f"{R}/mmath/problems/{{lang}}.jsonl",
    log:
        "logs/review_translation/mmath.{lang}.log",
    wildcard_constraints:
        lang=one_of(made_languages("mmath")),
    params:
        review=lambda w: f"{review_folder('mmath')}/translation/{w.lang}.csv",
        code=code("review_translation"),
