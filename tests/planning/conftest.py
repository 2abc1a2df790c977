"""What tests of plans share with those of runs."""

from workflow.conftest import config, finished

__all__ = ["config", "finished"]
