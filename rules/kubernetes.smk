"""Kubernetes (profiles/kubernetes): what its executor plugin must know of this workflow.

Pods share this folder on a volume, get the keys of the models that they ask, and tell why they
failed. Where the plugin is not installed nothing happens.
"""

import os

from snakemake_interface_executor_plugins.registry import ExecutorPluginRegistry

from babelmath.checks import used_models
from babelmath.engines import KEY_VARIABLES


def pods_share_this_folder(plugin):
    """The plugin takes for granted that pods share nothing: inputs and outputs would pass through a
    storage provider under other paths, prompts would not arrive, a journal would end with its pod.
    """
    plugin.common_settings.implies_no_shared_fs = False
    plugin.common_settings.job_deploy_sources = False
    plugin.common_settings.auto_deploy_default_storage_provider = False


def pods_tell_their_logs(plugin):
    """The plugin asks for the log of the container before the failed one. Pods are not restarted, so
    there is none, and the refusal would end the whole run with the first job that fails."""

    class Executor(plugin.executor):
        def __post_init__(self):
            super().__post_init__()
            read = self.kubeapi.read_namespaced_pod_log
            self.kubeapi.read_namespaced_pod_log = lambda previous=None, **asked: read(**asked)

    plugin.executor = Executor


def key_variables():
    """Variables that hold keys of the run's models, where they are set."""
    models = [CONFIG.models[name] for name in used_models(CONFIG)]
    names = {one.key_variable or KEY_VARIABLES.get(one.engine) for one in models}
    names |= {"HF_TOKEN" for one in models if one.engine == "vllm"}
    return sorted(name for name in names if name and os.environ.get(name))


EXECUTORS = ExecutorPluginRegistry()

if EXECUTORS.is_installed("kubernetes") and workflow.is_main_process:
    pods_share_this_folder(EXECUTORS.get_plugin("kubernetes"))
    pods_tell_their_logs(EXECUTORS.get_plugin("kubernetes"))
    if workflow.resource_settings.nodes is not None:
        # A Secret holds them for pods. Other executors would write them into commands, which
        # everybody on a machine can read.
        for name in EXECUTORS.plugins:
            EXECUTORS.get_plugin(name).common_settings.pass_envvar_declarations_to_cmd = False
        workflow.register_envvars(*key_variables())
