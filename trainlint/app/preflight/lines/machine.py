"""What only the machine says: its GPUs, how they are connected, whether things fit; and the versions that meet there."""

from __future__ import annotations

import os
from pathlib import PurePath

from trainlint.app.preflight.evidence.answers import VERSIONS, Lines, not_needed, only_a_run, table, without_option
from trainlint.app.preflight.jobs import Job
from trainlint.app.preflight.line import Evidence, Line, Verdict
from trainlint.app.preflight.values.words import split
from trainlint.documents.orders import orders

LINES = Lines("Hardware and environment")
_WORDS = frozenset((b"torch", b"tensorflow", b"jax", b"jaxlib"))
#: By library: what lists its devices, what says its versions, what says how much memory was taken.
_DEVICES = {
    "torch": "nvidia-smi",
    "xla": 'python -c "import torch_xla.core.xla_model as xm; print(xm.get_xla_supported_devices())"',
    "jax": 'python -c "import jax; print(jax.devices())"',
    "tensorflow": "python -c \"import tensorflow as tf; print(tf.config.list_physical_devices('GPU'))\"",
}
_VERSIONS = {
    "torch": 'python -c "import torch; print(torch.__version__, torch.version.cuda)"; nvidia-smi',
    "xla": 'python -c "import torch, torch_xla; print(torch.__version__, torch_xla.__version__)"',
    "jax": 'python -c "import jax, jaxlib; print(jax.__version__, jaxlib.__version__, jax.devices())"; nvidia-smi',
    "tensorflow": 'python -c "import tensorflow as tf; print(tf.__version__, tf.sysconfig.get_build_info())"; nvidia-smi',
}
_MEMORY = {
    "torch": "run ten steps and print torch.cuda.max_memory_allocated()",
    "xla": "run ten steps and print xm.get_memory_info(device)",
    "jax": "run ten steps and print jax.local_devices()[0].memory_stats()",
    "tensorflow": "run ten steps and print tf.config.experimental.get_memory_info('GPU:0')",
}


_UNSAID = "Which versions are installed can only be seen on the machine."


@LINES("gpus", "All GPUs are there")
def gpus(job: Job) -> Line:
    """Which devices there are."""
    return only_a_run("Which devices a machine has can only be seen there.", _DEVICES[job.library])


@LINES("versions", "Framework, CUDA and driver fit each other", VERSIONS, codes=("TL908",))
def versions(job: Job) -> Line:
    """The versions that are asked for, and that the driver is the machine's."""
    asked = [
        Evidence(document.path, wanted.spot, f"asks for {wanted.name}{wanted.versions or ' of any version'}")
        for document in job.program.documents.of(_WORDS)
        if job.is_beside(document.path) and not _is_of_another(job, document.path)
        for order in orders(document)
        for wanted in order.wanted
        if wanted.name.encode() in _WORDS
    ]
    why = "The files ask for versions; the driver is the machine's." if asked else _UNSAID
    return Line(Verdict.UNKNOWN, why, tuple(asked[:3]), _VERSIONS[job.library])


def _is_of_another(job: Job, path: str) -> bool:
    """Whether a file asks for the packages of another script, by its name: ``requirements_flax.txt`` beside a job of PyTorch.

    It names a framework that is not the job's, or what is in the name of a script beside this one.
    """
    words = [word for word in split(PurePath(path).stem) if "_" not in word]
    named = frozenset(word for word in words if not word.startswith("require"))
    if not named or len(named) == len(words):
        return False
    others = named.intersection(word for library in _DEVICES for word in table(job, f"names-{library}"))
    if others and others.isdisjoint(table(job, f"names-{job.library}")):
        return True
    folder, _, script = job.path.rpartition(os.sep)
    if named <= frozenset(split(script.removesuffix(".py"))):
        return False
    beside = (each.rpartition(os.sep) for each in job.program.finder.files)
    return any(above == folder and named <= frozenset(split(other.removesuffix(".py"))) for above, _, other in beside)


@LINES("memory", "Model and batch fit into the memory")
def memory(job: Job) -> Line:
    """How much memory a step takes."""
    return only_a_run("How much memory a step takes can only be seen in the first steps.", _MEMORY[job.library])


@LINES("topology", "GPUs and nodes are connected as they should be")
def topology(job: Job) -> Line:
    """How GPUs are connected."""
    if job.is_distributed is False and not without_option(job.trail.calls(table(job, "several-devices"))):
        return not_needed(job, "One process trains.")
    commands = {
        "torch": "nvidia-smi topo -m",
        "xla": _DEVICES["xla"],
        "jax": "nvidia-smi topo -m",
        "tensorflow": "nvidia-smi topo -m",
    }
    return only_a_run("How devices and nodes are connected can only be seen there.", commands[job.library])
