"""TL932 container-shared-memory. Its page, which is also its test: rules/environment/TL932-container-shared-memory.md."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.authoring import Program, Reason, Rule, Suspect

RULE = Rule.ours(
    code="TL932",
    summary="a container with 64 MB of shared memory for a DataLoader with worker processes",
    certainty="syntax",
    needs=("loader",),
    reads=("containers",),
)


@RULE.find
def find(program: Program) -> Iterator[Suspect]:
    """Yield each container whose script has a loader with workers, and that has no more shared memory than by default."""
    from trainlint.jobs import containers

    for found in containers.starved(program):
        name = found.script or found.launch.target.written
        because: tuple[Reason, ...] = ()
        if found.loader is not None:
            because = (Reason(found.loader.module, found.loader.spot, f"This DataLoader has {found.workers} or more workers."),)
        yield Suspect(
            path=found.running.document.path,
            spot=found.running.spot,
            node="Text",
            statement=found.running.spot,
            message=f"the DataLoader of `{name}` has workers, but this container has only 64 MB of shared memory\n"
            "Workers pass their batches through /dev/shm: when it is full, they die with a bus error. Pass --ipc=host "
            "or --shm-size (Compose: shm_size; Kubernetes: an emptyDir with medium Memory at /dev/shm).",
            because=because,
        )
