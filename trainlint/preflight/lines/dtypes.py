"""Which precision calls ask for by a dtype that they are handed."""

from __future__ import annotations

from collections.abc import Iterator

from trainlint.facts.calls import last_name
from trainlint.facts.values import ClassValue, Instance, Library, Made
from trainlint.model.terms import Term, parts_of
from trainlint.preflight.asking import table
from trainlint.preflight.jobs import Job
from trainlint.preflight.unsaid import is_of_caller
from trainlint.preflight.ways import Place
from trainlint.preflight.words import handed, words_of

_DTYPES = frozenset(("precision", "param_dtype", "torch_dtype", "compute_dtype", "autocast_dtype"))
_MODELS = frozenset(("model", "net", "network", "module"))


def is_wide(job: Job, place: Place) -> bool:
    """Whether a call asks for float32 or float64 only: ``set_default_dtype(torch.float64)``, ``precision=Precision.HIGHEST``."""
    if place.term[0] != "call":
        return False
    if last_name(place.term[1]) == "set_default_dtype":
        values = tuple(handed(place.term))
    else:
        values = tuple(value for keyword, value in place.term[3] if keyword in _DTYPES)
    names = [_names(job, place, each) for each in values]
    wide = frozenset(table(job, "wide-dtypes"))
    return bool(names) and all(each and all(name in wide or name.rpartition(".")[0] in wide for name in each) for each in names)


def narrowed(job: Job) -> Iterator[Place]:
    """Where a model is made of, or turned into, a narrow dtype: ``model.to(dtype)``, ``from_pretrained(…, dtype=…)``."""
    for place in job.trail.calls((".to",)):
        if place.way is not None and place.term[0] == "call" and place.term[1][0] == "a" and _is_model(job, place):
            given = [*place.term[2], *(value for keyword, value in place.term[3] if keyword == "dtype")]
            if any(_is_narrow(job, place, each) for each in given):
                yield place
    for place in job.trail.calls((".from_pretrained", ".from_config")):
        if place.term[0] == "call":
            given = [value for keyword, value in place.term[3] if keyword == "dtype"]
            if any(_is_narrow(job, place, each) for each in given):
                yield place


def handed_over(job: Job) -> list[Place]:
    """Where the layers of a model get a dtype that somebody else says: ``nn.Dense(8, dtype=self.dtype)``."""
    return [
        each
        for each in job.trail.calls(("dtype=",))
        if "of a library" in job.trail.keys(each) and any(key == "dtype" and is_of_caller(value) for key, value in each.term[3])
    ]


def _is_narrow(job: Job, place: Place, value: Term) -> bool:
    """Whether this is a narrow dtype; of a choice: where the machine decides, which has it mostly."""
    if value[0] == "c":
        return value[2] in ("bfloat16", "float16")
    if value[0] == "if":
        arms = [_is_narrow(job, place, each) for each in value[2:4]]
        asked = any(name.startswith("torch.cuda") for name in _names(job, place, *parts_of(value[1])))
        return all(arms) or (any(arms) and asked)
    return not frozenset(table(job, "narrow-dtypes")).isdisjoint(_names(job, place, value))


def _names(job: Job, place: Place, *terms: Term) -> list[str]:
    frame = job.program.frame(place.module, place.function)
    return [value.name for each in terms for value in job.program.values(each, frame) if isinstance(value, Library)]


def _is_model(job: Job, place: Place) -> bool:
    """Whether what is turned into a dtype is a model that this trains, and no batch: by its class, or else by its name."""
    owner = place.term[1][1]
    for value in job.program.values(owner, job.program.frame(place.module, place.function)):
        if isinstance(value, Instance):
            above = job.program.lineage(ClassValue(value.module, value.cls))
            return any(isinstance(each, Library) and each.name == "torch.nn.Module" for each in above)
        if isinstance(value, Made):
            return value.name.startswith("torch.nn.")
    return not _MODELS.isdisjoint(words_of(job.program, place.module, owner))
