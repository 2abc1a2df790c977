"""What a job asks of its machine: cores, GPUs, memory, time, a queue, an environment."""

from babelmath.checks import used_models


def on_cluster():
    """Whether jobs are handed to a queue, or this process is such a job."""
    return workflow.resource_settings.nodes is not None or workflow.remote_exec


def threads_for(names):
    """Cores of a job that asks these models: the embedded server takes all there are; on a cluster
    what the models say. Services are waited for."""
    needs = [CONFIG.models[name] for name in names]
    local = [one for one in needs if one.engine in ("llamacpp", "vllm")]
    if not on_cluster() and any(one.engine == "llamacpp" for one in local):
        return workflow.resource_settings.cores or 1
    return max((one.cpus or 4 * max(one.gpus, 1) for one in local), default=1)


def of_profile(name):
    """A default resource of the profile, as it stands there; None where it has none."""
    given = (workflow.resource_settings.default_resources or {}).get(name)
    return str(given.raw).strip("'\"") if given and given.raw else None


def partition(models):
    """The queue of a job that asks these models: the profile's gpu_partition or api_partition, or
    its default one."""
    kind = "gpu_" if any(one.gpus for one in models) else "api_" if by_service(models) else ""
    return of_profile(f"{kind}partition") or of_profile("slurm_partition")


def by_service(models):
    """Models that are asked over the network."""
    return [one for one in models if one.engine in ("openai", "gemini")]


def asking(names):
    """Resources of a job that asks models; `names` tells them from the job's wildcards.

    gpu and gpu_model are those of the model that needs most. Global counters: llamacpp, embedded
    servers at work; api, jobs that ask services. What a job does not need it does not carry.
    """

    def of(value):
        return lambda wildcards: value([CONFIG.models[name] for name in names(wildcards)]) or None

    return {
        "gpu": of(gpus),
        "gpu_model": of(gpu_model),
        "llamacpp": of(lambda models: int(any(one.engine == "llamacpp" for one in models))),
        "api": of(lambda models: int(bool(by_service(models)))),
        "mem_mb": of(lambda models: max((one.memory_mb for one in models), default=0)),
        "runtime": of(lambda models: max((one.runtime_min for one in models), default=0)),
        "slurm_partition": of(partition),
    }


def gpus(models):
    """GPUs of a job that asks these models one after the other."""
    return max((one.gpus for one in models), default=0)


def check_gpus(most):
    """Refuse models that need more GPUs than the profile allows: Snakemake would clip their jobs."""
    for name in used_models(CONFIG):
        if most.value is not None and CONFIG.models[name].gpus > most.value:
            raise WorkflowError(
                f"models.{name}.gpus: a job takes {CONFIG.models[name].gpus} GPUs, and no more than "
                f"{most.value} are allowed (resources: gpu={most.value}, in the profile or on the command "
                "line). Raise one or lower the other."
            )


def gpu_model(models):
    """The GPU that a job of these models asks a cluster for: that of the model with most GPUs, or
    the profile's; none: any."""
    needs = sorted((one for one in models if one.gpus), key=lambda one: one.gpus)
    named = [one.gpu_model for one in needs if one.gpu_model]
    return (named[-1] if named else of_profile("gpu_kind")) if needs else None


def engine_env(names):
    """The environment of a job that asks these models: vLLM's holds llama.cpp, all hold the clients
    of services."""
    kinds = {CONFIG.models[name].engine for name in names}
    return next(
        f"../envs/engine-{name}.yaml"
        for engine, name in (("vllm", "vllm"), ("llamacpp", "llamacpp"), (None, "api"))
        if engine in kinds or engine is None
    )


def environments():
    """The files of envs/, without ending, that jobs of this run may need."""
    settings = [one for benchmark in BENCHMARKS.values() for one in benchmark.settings.values()]
    building = ("translation", "choices", "perturbation")
    jobs = [building_models(name, section) for name in BENCHMARKS for section in building]
    jobs += [[name] for one in settings for name in one.models if name in asked_models()]
    jobs += [[CONFIG.judges[name].model] for name in judges_asked()]
    engines = {Path(engine_env(names)).stem for names in jobs if names}
    languages = {"languages"} if any(one.labels for one in settings) else set()
    return sorted(engines | languages | {"scoring", "tables", "figures", "explorer"})


if workflow.is_main_process:
    check_gpus(workflow.resource_settings.resources.get("gpu"))


include: "kubernetes.smk"


# Seconds of work, without a model: they run where snakemake runs, not as jobs of a cluster.
localrules:
    audit_arithmetic,
    audit_page,
    audit_records,
    fetch_release,
    figure,
    import_choices,
    import_flawed,
    import_mathmist,
    import_mmath,
    import_records,
    merge_shards,
    overview,
    record_environment,
    record_environment,
    record_inputs,
    record_run,
    results_page,
    review_mathmist,
    review_mmath,
    review_perturbation,
    sample_labels,
    score_letters,
    table,
    tables_index,
    write_ledger,
