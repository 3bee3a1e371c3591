"""What a configuration that Hydra puts together hands to a job when nobody says anything: callbacks, the options of loaders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from trainlint.app.preflight.instantiation.targets import TARGET
from trainlint.app.preflight.jobs import Job
from trainlint.app.preflight.line import Evidence, Place
from trainlint.app.preflight.settings.config_trees import Held, Keys
from trainlint.app.preflight.values.words import OFF
from trainlint.ir.nodes import Access, Attr, Call, Const, Dict


def made(job: Job, names: Iterable[str]) -> Evidence | None:
    """Where a configuration names one of some classes of libraries, itself or by a key of a dict of the job's files.

    Nothing where a line that starts the job chooses another file of that group.
    """
    sources = job.options.configurations.sources
    wanted = frozenset(names)
    if not sources.base or not sources.composed:
        return None
    shelves = {key: name for key, name in _shelved(job) if name in wanted}
    for keys, held in sorted(sources.composed.items()):
        if keys[-1] == TARGET:
            said = held.value[0] if held.value is not None else None
            is_one = isinstance(said, str) and job.program.knowledge.canonical(said) in wanted
        else:
            is_one = keys[-2:] in shelves
        if is_one and not _is_said(job, keys):
            return _where(held, "the configuration names it")
    return None


def _shelved(job: Job) -> Iterator[tuple[Keys, str]]:
    """What stands in dicts at the top of the job's files: the dict's name and the key, and the class that it names."""
    for path in sorted(job.files):
        for name, term in job.program.modules[path].names.items():
            for key, value in term.items if isinstance(term, Dict) else ():
                if isinstance(key, Const) and value is not None and isinstance(value, Const) and isinstance(value.value, str):
                    yield (name, str(key.value)), job.program.knowledge.canonical(value.value)


def _is_said(job: Job, keys: Keys) -> bool:
    """Whether a line that starts the job says something of a section: ``callbacks=none``, ``~callbacks``."""
    words = [(word.text or word.start or "").lstrip("+~").partition("=")[0] for each in job.launches for word in each.arguments]
    return any(word == keys[0] or word.startswith(f"{keys[0]}.{keys[1]}") for word in words if len(keys) > 1)


def spread(job: Job, places: Iterable[Place], keyword: str) -> Evidence | None:
    """Where a configuration has something that is on, under a keyword that a call is handed with the rest of its section.

    ``make_loader(**config.loader)``
    """
    for place in places:
        for name, value in place.term.kwargs if place.way is not None and isinstance(place.term, Call) else ():
            if name is not None or not isinstance(value, Access):
                continue
            asked = Attr.new(value, keyword)
            said = job.options.default(asked, place.module)
            option = job.options.name(asked, place.module)
            if said is not None and said[0] not in OFF and option is not None:
                held = job.options.configurations.sources.composed.get(tuple(option.split(".")))
                if held is not None:
                    return _where(held, f"`{keyword}` stands here")
    return None


def _where(held: Held, message: str) -> Evidence:
    return Evidence(held.module, held.spot, message)
