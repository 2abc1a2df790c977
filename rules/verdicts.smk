"""Verdicts on every response.

Needs: generations and the truth: exact answers, keys, or the errors of flawed solutions.
Gives: results/{benchmark}/verdicts/{setting}/{model}/{scorer}.jsonl, a status with its reasons;
results/{benchmark}/golds.csv, which exact answers rules can read.
"""

VERDICTS = [
    f"{R}/{benchmark}/verdicts/{name}/{model}/{scorer}.jsonl"
    for benchmark, one in BENCHMARKS.items()
    for name, setting in one.settings.items()
    for model in setting.models
    for scorer in setting.scorers
]


rule check_golds:
    """Check that each exact answer of {wildcards.benchmark} can be read by rule."""
    input:
        problems=lambda w: problem_files(w.benchmark, BENCHMARKS[w.benchmark].languages),
        languages=lambda w: language_files(BENCHMARKS[w.benchmark].languages),
    output:
        f"{R}/{{benchmark}}/golds.csv",
    log:
        "logs/check_golds/{benchmark}.log",
    # Before any model is asked: what is odd with the truths is known while there is time.
    priority: 100
    conda:
        "../envs/scoring.yaml"
    params:
        equivalence=CONFIG.equivalence.model_dump(),
        western=lambda w: w.benchmark == "mmath",
        code=code("check_golds"),
    script:
        "../scripts/check_golds.py"


rule score_rules:
    """Compare {wildcards.model}'s answers in {wildcards.setting} with the exact ones by rule."""
    input:
        unpack(asked_from),
        generations=f"{R}/{{benchmark}}/generations/{{setting}}/{{model}}.jsonl",
        languages=lambda w: language_files(setting_of(w).question_languages),
        judged=judged_beside,
    output:
        f"{R}/{{benchmark}}/verdicts/{{setting}}/{{model}}/{{scorer}}.jsonl",
    log:
        "logs/score_rules/{benchmark}.{setting}.{model}.{scorer}.log",
    wildcard_constraints:
        scorer="rules-paper|rules-strict",
    conda:
        "../envs/scoring.yaml"
    threads: 2
    params:
        asked=asked_for,
        equivalence=CONFIG.equivalence.model_dump(),
        # MMATH's exact answers do not depend on the language.
        western=lambda w: w.benchmark == "mmath",
        code=code("score_rules"),
    script:
        "../scripts/score_rules.py"


rule score_letters:
    """Read {wildcards.model}'s option letters or YES/NO in {wildcards.setting}."""
    input:
        unpack(asked_from),
        generations=f"{R}/{{benchmark}}/generations/{{setting}}/{{model}}.jsonl",
        languages=lambda w: language_files(setting_of(w).question_languages),
    output:
        f"{R}/{{benchmark}}/verdicts/{{setting}}/{{model}}/{{scorer}}.jsonl",
    log:
        "logs/score_letters/{benchmark}.{setting}.{model}.{scorer}.log",
    wildcard_constraints:
        scorer="letter-paper|letter-strict",
        model=one_of(asked_models()),
    conda:
        "../envs/scoring.yaml"
    params:
        asked=asked_for,
        task=lambda w: setting_of(w).task,
        equivalence=CONFIG.equivalence.model_dump(),
        code=code("score_letters"),
    script:
        "../scripts/score_letters.py"


rule judge:
    """Let {wildcards.judge} judge {wildcards.model}'s responses in {wildcards.setting}."""
    input:
        unpack(asked_from),
        generations=f"{R}/{{benchmark}}/generations/{{setting}}/{{model}}.jsonl",
        prompts=lambda w: [
            str(prompt_path(PROMPTS, name))
            for name in (JUDGE_PROMPTS[setting_of(w).task], AGAIN_PROMPT)
        ],
    output:
        f"{R}/{{benchmark}}/verdicts/{{setting}}/{{model}}/judge-{{judge}}.jsonl",
    log:
        "logs/judge/{benchmark}.{setting}.{model}.{judge}.log",
    wildcard_constraints:
        judge=one_of(judges_asked()),
    conda:
        lambda w: engine_env([judge_model(w.judge)])
    threads: lambda w: threads_for([judge_model(w.judge)])
    resources:
        **asking(lambda w: [judge_model(w.judge)]),
    params:
        asked=asked_for,
        task=lambda w: setting_of(w).task,
        judge=lambda w: CONFIG.judges[w.judge].model_dump(),
        models=lambda w: dumped([judge_model(w.judge)]),
        running=lambda w: running([judge_model(w.judge)]),
        prompts=lambda w: PROMPTS,
        journal=Path(CONFIG.paths.journal),
        seed=CONFIG.seed,
        code=code("judge"),
    script:
        "../scripts/judge.py"
