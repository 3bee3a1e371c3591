"""What the training code does in each step, and what feeds it.

Some lines ask which evidence is of the training itself. Where JAX trains, that is the jit of a step and the key that a seed
makes: much is compiled beside the step (how keys are drawn, how data are made up), and much is drawn from constant keys. Of calls
that seed, some seed the job, others only a generator of their own: of a sampler, of a text that is made to look at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from trainlint.app.preflight.ending.bounds import bound, told_by_configuration
from trainlint.app.preflight.evidence.answers import (
    MISTAKES,
    TIPS,
    Lines,
    argument_of_trainer,
    by_framework,
    evidence,
    judged,
    not_needed,
    only_a_run,
    runs,
    table,
    without_option,
)
from trainlint.app.preflight.evidence.clipping import clips, is_of_schedule, optimizers_that_clip
from trainlint.app.preflight.evidence.commands import as_started, starting
from trainlint.app.preflight.jobs import Job
from trainlint.app.preflight.line import Line, Place, Verdict
from trainlint.app.preflight.lines.loading import of_loaders
from trainlint.app.preflight.lines.precision import (
    as_known,
    as_set,
    by_accelerators,
    by_machine,
    halved,
    handed_over,
    is_told_none,
    is_wide,
    narrowed,
)
from trainlint.app.preflight.values.constants import is_of_configuration
from trainlint.app.preflight.values.words import handed, named_items, split, words_of
from trainlint.ir.nodes import Access, Attr, Call, Compare, Const, Global, Nested, Param, Ref, Select, Term
from trainlint.ir.sketch import Function
from trainlint.ir.terms import parts_of
from trainlint.program.call_graph import last_name
from trainlint.program.program import calls_of
from trainlint.program.values import ClassValue, FunctionValue, Library, LibraryObject, Unresolved


def own_checkpoints(job: Job) -> list[Place]:
    """The calls of functions of autograd which run something without gradients, and run it again with them backwards."""
    found = []
    for place in job.trail.calls([".apply"]):
        if isinstance(place.term, Call) and isinstance(place.term.callee, Attr):
            frame = job.program.frame(place.module, place.function)
            values = job.program.values(place.term.callee.base, frame)
            if any(isinstance(each, ClassValue) and _computes_again(job, each) for each in values):
                found.append(place)
    return found


def _computes_again(job: Job, value: ClassValue) -> bool:
    above = job.program.lineage(value)
    if not any(isinstance(each, Library) and each.name in table(job, "functions-of-autograd") for each in above):
        return False
    methods = value.cls.methods
    if "forward" not in methods or "backward" not in methods:
        return False
    functions = job.program.modules[value.module].functions
    called = {
        name: {last_name(call.term.callee) for call in calls_of(functions[methods[name]])} for name in ("forward", "backward")
    }
    return "no_grad" in called["forward"] and "enable_grad" in called["backward"]


#: Words of what trains for a step, and of what judges or starts a model.
_STEPS = frozenset(("train", "step", "update", "learn", "optimize", "fit"))
#: Terms that may be a function.
_NAMES = (Global, Nested, Ref, Access, Param)
_OTHERS = frozenset(("eval", "evaluate", "validate", "valid", "val", "test", "predict", "init", "sample"))


def of_step(job: Job, places: Sequence[Place]) -> list[Place]:
    """Of calls that compile those which compile the step, if one is sure; never those that compile a library's function."""
    if job.library != "jax":
        return list(places)
    found = [each for each in places if not _is_of_library(job, each)]
    steps = [each for each in found if _compiles_step(job, each)]
    return steps if without_option(steps) else found


def of_seed(job: Job, places: Sequence[Place]) -> list[Place]:
    """Of calls that make keys those which are handed a seed, if one is sure: others draw data, or show what they look like."""
    if job.library != "jax":
        return list(places)
    seeded = [each for each in places if isinstance(each.term, Call) and "seed" in words_of(job.program, *handed(each.term))]
    return seeded if without_option(seeded) else list(places)


def _compiled(place: Place) -> Term | None:
    """What a call compiles."""
    return place.term.args[0] if isinstance(place.term, Call) and place.term.args else None


def _decorated(job: Job, place: Place) -> list[Function]:
    """The function above which a decorator stands: ``@partial(jax.pmap, axis_name="batch")``, be it in another one."""
    if place.term in place.function.decorators:
        return [place.function]
    return [each for each in job.program.modules[place.module].functions.values() if place.spot in each.decorator_spots]


def _is_of_library(job: Job, place: Place) -> bool:
    """Whether it compiles a function that another library has: ``jit(jax.random.fold_in)``."""
    given = _compiled(place)
    if given is None or not isinstance(given, Ref) or _decorated(job, place):
        return False
    values = list(job.program.values(given, job.program.frame(place.module, place.function)))
    return bool(values) and all(isinstance(each, Library) for each in values)


def _compiles_step(job: Job, place: Place) -> bool:
    """Whether a function that trains is compiled: one with gradients in it, or that is called so."""
    functions = _decorated(job, place)
    if functions:
        said = frozenset(word for each in functions for word in split(each.name))
    else:
        given = _compiled(place)
        if given is None:
            return False
        frame = job.program.frame(place.module, place.function)
        values = [
            value for part in parts_of(given) for value in (job.program.values(part, frame) if isinstance(part, _NAMES) else ())
        ]
        functions = [each.function for each in values if isinstance(each, FunctionValue)]
        names = (word for each in functions for word in split(each.name))
        module = job.program.modules[place.module]
        said = frozenset((*names, *words_of(job.program, given), *named_items(module, given)))
    trains = {id(function) for _, function in (*job.trail.training[0], *job.trail.training[1])}
    if any(id(each) in trains for each in functions):
        return True
    return not said.isdisjoint(_STEPS) and said.isdisjoint(_OTHERS)


LINES = Lines("Code")


@LINES("dry-run", "A few steps can be tried before the job is started", MISTAKES)
def dry_run(job: Job) -> Line:
    """An option that ends the training after a few steps."""
    ends = bound(job)
    if ends is not None and ends.argument is not None:
        return Line(Verdict.SEEN, f"{ends.name} bounds the run.", (ends.where,))
    if _takes_arguments_of_trainer(job):
        return Line(Verdict.SEEN, "--max_steps bounds the run.", (job.here("the trainer"),))
    given = [each for each in job.trail.calls(table(job, "bounds-of-trainers")) if each.way is not None or _is_told(job, each)]
    given = [each for each in given if not is_of_schedule(each) and (not job.does_itself or _makes_trainer(each))]
    if runs(job.trail.calls(table(job, "command-lines"))):
        return Line(Verdict.SEEN, "--trainer.fast_dev_run runs one batch.", (job.here("the trainer"),))
    told = told_by_configuration(job)
    if told is not None:
        why = "A configuration has the trainer's arguments: `fast_dev_run` runs one batch."
        return Line(Verdict.SEEN, why, evidence([told[0]]))
    if given:
        return Line(Verdict.SEEN, "This bounds the run.", evidence(given))
    if ends is not None:
        return Line(Verdict.SEEN, f"{ends.name} bounds the run.", (ends.where,))
    return Line(Verdict.MISSING, "No option ends the training after a few steps.", (), "start it, and stop it after ten steps")


def _makes_trainer(place: Place) -> bool:
    """Whether what is called makes a trainer, or its arguments: not data that are cut, ``cuts.truncate(max_duration=3)``."""
    name = last_name(place.term.callee) if isinstance(place.term, Call) else None
    return (name or "").lower().endswith(("trainer", "trainingarguments", "config", "args", "arguments"))


def _is_told(job: Job, place: Place) -> bool:
    """Whether a trainer that the job runs is told by a configuration how many steps there are."""
    return _makes_trainer(place) and place.is_unsaid and job.trail.reaches(place.function, place.module)


@LINES("first-steps", "The first steps run, with the batch of the job")
def first_steps(job: Job) -> Line:
    """Only a run shows it."""
    ends = bound(job)
    if ends is not None and ends.argument is not None:
        how = as_started(job, ends.argument)
    elif _takes_arguments_of_trainer(job):
        how = as_started(job, "--max_steps 10")
    elif runs(job.trail.calls(table(job, "command-lines"))):
        how = starting(job, "fit --trainer.fast_dev_run true")
    elif (told := told_by_configuration(job)) is not None:
        by_line = told[1] is not None and job.trail.libraries("hydra")
        how = (
            starting(job, f"++{told[1]}.fast_dev_run=true")
            if by_line
            else f"{starting(job)}, with `fast_dev_run` set for the trainer"
        )
    elif ends is not None:
        how = f"{starting(job)}, with {ends.name} set to a few steps"
    else:
        how = f"{starting(job)}, stopped after ten steps"
    return only_a_run("Whether the first steps work can only be seen by running them.", how)


def _takes_arguments_of_trainer(job: Job) -> bool:
    """Whether the command line sets the arguments of Transformers' trainer."""
    return job.framework == "transformers" and bool(job.trail.calls(table(job, "parsed-arguments")))


@LINES("mixed-precision", "Mixed precision", codes=("TL921",))
def mixed_precision(job: Job) -> Line:
    """Lower precision."""
    found = [each for each in job.trail.calls(table(job, "mixed-precision")) if not is_wide(job, each) and not _loads(each)]
    found = by_accelerators(job, [as_known(job, as_set(job, each)) for each in found])
    found += [
        each
        for each in job.trail.calls(table(job, "scalers"))
        if isinstance(each.term, Call) and any(keyword == "enabled" for keyword, _ in each.term.kwargs)
    ]
    found = [*found, *narrowed(job), *halved(job), *by_machine(job)]
    found = job.trail.ranked(each for each in found if job.trail.feeds(each.function, each.module))
    if not without_option(found):
        needed = (job.options.written(each.way.option) for each in found if each.way is not None and each.way.option is not None)
        flags = (flag.replace("_", "-") for flag in needed if flag.startswith("--"))
        told = job.launched(*table(job, "asks-for-lower-precision"), *flags)
        if told is not None:
            return Line(Verdict.SEEN, "The launch lines ask for it.", (told,))
        configured = job.configured("fp16", "bf16")
        if configured is not None:
            return Line(Verdict.SEEN, "DeepSpeed's configuration asks for it.", (configured,))
        elsewhere = None if runs(found) or is_told_none(job) else job.said_elsewhere()
        if elsewhere is not None:
            return elsewhere
        handed = [] if found or job.framework != "jax" else [*by_machine(job, may=True), *handed_over(job)]
        if handed:
            why = "The layers compute in the `dtype` that they are given; which one that is could not be determined."
            return Line(Verdict.UNKNOWN, why, evidence(handed), "print(model)")
    line = judged(
        job,
        "mixed-precision",
        found,
        seen="Lower precision is asked for.",
        missing="Everything is computed in float32.",
        words=table(job, "mixed-precision-words"),
        left=True,
    )
    narrow = table(job, "asks-for-lower-precision")
    told = job.launched(*narrow) if line.verdict is Verdict.UNKNOWN else None  # whatever else may be narrow, too
    return line if told is None else Line(Verdict.SEEN, "The launch lines ask for it.", (told,))


def _loads(place: Place) -> bool:
    """Whether a precision is only what a state is loaded in: ``load_state_dict(state, precision=dtype)``."""
    return isinstance(place.term, Call) and (last_name(place.term.callee) or "").startswith(("load_state", "load_checkpoint"))


@LINES("gradient-checkpointing", "Gradient checkpointing, where memory is short")
def gradient_checkpointing(job: Job) -> Line:
    """Activations are computed again."""
    line = judged(
        job,
        "gradient-checkpointing",
        job.trail.ranked([*job.trail.calls(table(job, "gradient-checkpointing")), *own_checkpoints(job)], by_loop=False),
        seen="Activations are computed again in the backward pass.",
        missing="All activations are kept, which is right as long as they fit.",
        words=table(job, "gradient-checkpointing-words"),
        left=True,
    )
    if line.verdict is Verdict.MISSING and job.framework == "transformers":
        line = argument_of_trainer(job, "gradient-checkpointing", "gradient_checkpointing", "off")
    if line.verdict is Verdict.MISSING:
        return only_a_run(line.why, "run ten steps and read the memory that they took")
    return line


def _asks_its_trainer(job: Job) -> bool:
    """Whether a loop of the project's own asks a library's trainer for its loader."""
    return bool(runs(job.trail.calls(table(job, "loaders-of-arguments"))))


@LINES("workers", "Loaders have workers")
def workers(job: Job) -> Line:
    """``num_workers`` of the loaders that the job makes."""
    if job.framework == "transformers" or _asks_its_trainer(job):
        return argument_of_trainer(job, "workers", "dataloader_num_workers", "0: the training loads its own batches")
    return of_loaders(
        job, "workers", "num_workers", "Worker processes load the batches.", "The main process loads the batches itself."
    )


@LINES("pinned", "Loaders pin their memory")
def pinned(job: Job) -> Line:
    """``pin_memory`` of the loaders that the job makes."""
    if job.framework == "transformers" or _asks_its_trainer(job):
        return not_needed(job, "The trainer's loaders pin their memory unless they are told otherwise.")
    if job.library == "xla":
        return not_needed(job, "Pinned memory is for GPUs.")
    own = [
        each
        for each in runs(job.trail.calls([".pin_memory"]))
        if each.way is not None and each.way.looped and each.way.option is None
        if "pin_memory" not in each.function.qualname.split(".")  # what says how a thing is pinned pins none
    ]
    if own:
        return Line(Verdict.SEEN, "Batches are pinned.", evidence(own))
    return of_loaders(job, "pinned", "pin_memory", "Batches are pinned.", "Batches are copied from pageable memory.")


@LINES("compile", "The model is compiled", TIPS)
def compiled(job: Job) -> Line:
    """A compiler of the framework."""
    done = by_framework(job, ("keras",), "Keras makes a graph of the step.")
    if done is not None:
        return done
    if job.library == "xla":
        return not_needed(job, "XLA compiles what runs on its devices.")
    asked = job.trail.trained(job.trail.calls(table(job, "compile")))
    found = [each for each in asked if not _is_one_function(each)]
    exports = [each for each in found if _exports(job, each)]
    places = [
        each for each in found if each not in exports and not _decorates_idly(job, each) and not _is_of_another_library(job, each)
    ]
    places = of_step(job, places)
    methods = [
        each for each in job.trail.calls([".compile"]) if not job.trail.is_of_library(each) and isinstance(each.term, Call)
    ]
    if job.framework == "transformers" and not runs(places):
        return argument_of_trainer(job, "compile", "torch_compile", "off")
    known = {(each.module, each.spot) for each in places}
    more = [
        each
        for each in methods
        if (each.module, each.spot) not in known and isinstance(each.term, Call) and isinstance(each.term.callee, Attr)
    ]
    small = [each for each in asked if _is_one_function(each) and _decorates_what_is_there(job, each)]
    line = judged(
        job,
        "compile",
        [*places, *more],
        seen="A compiler is asked for.",
        missing="Single functions are compiled, and the model is not." if small else "Nothing is compiled.",
        words=() if exports else table(job, "compile-words"),  # the option is that of the export
        left=True,
    )
    return replace(line, evidence=evidence(small)) if small and line.verdict is Verdict.MISSING else line


def _is_one_function(place: Place) -> bool:
    """Whether a decorator only compiles a small function, or a call only operators: that is not the model."""
    if isinstance(place.term, Call):
        return (last_name(place.term.callee) or "").startswith(("set_compile", "set_jit"))  # it says how operators are made
    return last_name(place.term) == "script"


def _decorates_what_is_there(job: Job, place: Place) -> bool:
    """Whether a decorator stands above a function that the job runs, or that a file has which it surely imports."""
    if isinstance(place.term, Call) or _decorates_idly(job, place):
        return False
    return place.way is not None or place.module not in job.trail.by_name


def _exports(job: Job, place: Place) -> bool:
    """Whether what is scripted or traced is only saved, or stands in a file of exports: what trains stays as it is."""
    if not isinstance(place.term, Call) or last_name(place.term.callee) not in ("script", "trace"):
        return False
    if place.way is None:
        return True
    for other in job.trail.inside(place):
        if isinstance(other.term, Call) and last_name(other.term.callee) == "save":
            holder = (other.term.callee.base,) if isinstance(other.term.callee, Attr) else ()
            if place.term in (*holder, *handed(other.term)):
                return True
    return False


def _is_of_another_library(job: Job, place: Place) -> bool:
    """Whether a graph of TensorFlow or JAX is made around a job of PyTorch, for a format that models are turned into."""
    others = frozenset(table(job, "other-compilers"))
    return place.way is None and job.library == "torch" and any(key.partition(".")[0] in others for key in job.trail.keys(place))


def _decorates_idly(job: Job, place: Place) -> bool:
    """Whether it stands above a function of which nothing in the files of the job speaks."""
    return place.way is None and place.term in place.function.decorators and not job.trail.speaks_of(place.function)


@LINES("clipping", "Gradients are clipped", MISTAKES, codes=("TL419", "TL420", "TL402", "TL121"))
def clipping(job: Job) -> Line:
    """Something bounds the gradients."""
    found = [each for each in job.trail.trained(job.trail.calls(table(job, "clipping"))) if clips(job, each)]
    if not without_option(found):
        found += optimizers_that_clip(job)
    if not without_option(found):
        done = by_framework(job, ("transformers",), "The trainer clips to a norm of 1 by default.")
        configured = job.configured("gradient_clipping")
        if done is not None:
            return done
        if configured is not None:
            return Line(Verdict.SEEN, "DeepSpeed's configuration asks for it.", (configured,))
    return judged(
        job,
        "clipping",
        found,
        seen="Gradients are clipped.",
        missing="Nothing bounds the gradients: one bad batch can ruin the weights.",
        words=table(job, "clipping-words"),
        left=True,
    )


@LINES("seeds", "Seeds are set", codes=("TL901",))
def seeds(job: Job) -> Line:
    """The random generators are seeded."""
    found, own = seeds_of(job)
    found = of_seed(job, found)
    if job.framework == "composer":
        found += [each for each in job.trail.calls(["seed="]) if "composer.Trainer" in job.trail.keys(each)]
    if not without_option(found):
        done = by_framework(job, ("transformers",), "The trainer seeds with 42 by default.")
        if done is not None:
            return done
    others = frozenset(table(job, "seeds-of-others"))
    perhaps = may_seed(job)
    if perhaps and all(not others.isdisjoint(job.trail.keys(each)) for each in runs(found)):
        why = "A library's function called `seed` is run; what that seeds could not be determined."
        return Line(Verdict.UNKNOWN, why, evidence(perhaps), "print the first loss of two runs")
    if runs(found) and all(not others.isdisjoint(job.trail.keys(each)) for each in found) and job.library == "torch":
        why = "Only the generators of Python or NumPy are seeded, and PyTorch's is not."
        return Line(Verdict.MISSING, why, evidence(runs(found)))
    line = judged(
        job,
        "seeds",
        found,
        seen="Seeds are set.",
        missing="Nothing is seeded: two runs give different results.",
        words=table(job, "seeds-words"),
        left=True,
    )
    if line.verdict is Verdict.MISSING and runs(own):
        return Line(
            Verdict.MISSING, "Only a generator of its own is seeded here: weights are drawn from another.", evidence(runs(own))
        )
    return line


#: What people call a generator, and those of PyTorch that everything is drawn from.
_GENERATORS = frozenset(("generator", "gen", "rng"))
_COMMON = frozenset(("default_generator", "default_generators"))
#: What functions are called that begin a worker of a loader: the process that trains is not seeded there.
_OF_WORKERS = frozenset(("worker_init", "seed_worker", "worker_seed", "seed_workers"))

#: What gives another number in each run.
_DRAWS = frozenset(
    ("get_rng_state", "initial_seed", "seed", "time", "time_ns", "urandom", "randint", "randbits", "SystemRandom", "getpid")
)


def seeds_of(job: Job) -> tuple[list[Place], list[Place]]:
    """The calls that seed the generators which a whole process draws from, and those that seed one of their own."""
    found = job.trail.calls(table(job, "seeds"))
    found += [
        each for each in job.trail.calls([f".{name}" for name in table(job, "called-seeding")]) if _runs_a_library(job, each)
    ]
    own = [each for each in found if _is_of_one_generator(job, each) or _is_of_workers(each)]
    return [_as_drawn(job, each) for each in found if each not in own], own


def may_seed(job: Job) -> list[Place]:
    """The calls of a library's function that is named just ``seed``: ``util.seed(seed)``.

    A method of an object, ``env.seed(3)``, seeds that object.
    """
    return [
        each
        for each in job.trail.calls(table(job, "may-seed"))
        if each.way is not None and each.way.option is None and isinstance(each.term, Call) and any(handed(each.term))
        if _is_function_of_unknown(job, each, each.term.callee)
    ]


def _is_function_of_unknown(job: Job, place: Place, callee: Term) -> bool:
    """Whether a function is called that stands in a module of a library of which it is not known what it seeds."""
    frame = job.program.frame(place.module, place.function)
    known = frozenset(table(job, "seeds-known-of"))
    if isinstance(callee, Attr) and not any(isinstance(each, Library) for each in job.program.values(callee.base, frame)):
        return False
    found = [each for each in job.program.values(callee, frame) if isinstance(each, Library)]
    return bool(found) and not any(each.name.startswith("<project>") or each.name.partition(".")[0] in known for each in found)


def _as_drawn(job: Job, place: Place) -> Place:
    """A place with the option without which the seed is drawn anew in each run: ``seed if seed is not None else drawn()``.

    ``if seed is None: seed = drawn()`` is the same. Where a configuration that nobody holds says the seed, it is not known.
    """
    if place.way is None or place.way.option is not None or not isinstance(place.term, Call):
        return place
    for part in parts_of(*handed(place.term)):
        asked = _asked_before_drawn(part)
        if asked is None:
            continue
        name, said = job.options.name(asked, place.module), job.options.default(asked, place.module)
        if said == (None,) and name is not None:
            return place._replace(way=place.way._replace(option=name))
        if said is None and is_of_configuration(asked) and (name is None or not job.options.is_given(name)):
            return place._replace(way=None, is_unsaid=True)
    return place


def _asked_before_drawn(part: Term) -> Term | None:
    """The value that is asked whether it is None before a seed is drawn anew."""
    if not isinstance(part, Select) or not isinstance(part.test, Compare) or part.test.op not in ("Is", "IsNot"):
        return None
    asked, other = part.test.sides
    if (
        not isinstance(other, Const)
        or other.value is not None
        or not _is_drawn(part.then if part.test.op == "Is" else part.other)
    ):
        return None
    found: Term = asked
    return found


def _is_drawn(term: Term) -> bool:
    """Whether a value is another one in each run: of the generator's own state, of the clock, of the system."""
    return any(isinstance(part, Call) and last_name(part.callee) in _DRAWS for part in parts_of(term))


def _is_of_workers(place: Place) -> bool:
    """Whether a call stands where a worker begins, or where an item of the data is made, again and again."""
    return place.function.name == "__getitem__" or not _OF_WORKERS.isdisjoint(split(place.function.name))


def _runs_a_library(job: Job, place: Place) -> bool:
    """Whether a function is one of a library, and not of a file of the project in which nothing was worth reading.

    A name that nothing in sight binds comes out of the library all of which is imported: ``from timm.utils import *``.
    """
    values = (
        job.program.values(place.term.callee, job.program.frame(place.module, place.function))
        if isinstance(place.term, Call)
        else ()
    )
    module = job.program.modules[place.module]
    starred = any(job.program.finder.find(place.module, star) is None for star in module.stars)
    return any(
        not each.name.startswith("<project>") if isinstance(each, Library) else starred and isinstance(each, Unresolved)
        for each in values
    )


def _is_of_one_generator(job: Job, place: Place) -> bool:
    """Whether what is seeded is an object that only those draw from who are handed it: ``torch.Generator().manual_seed(0)``."""
    if (
        not isinstance(place.term, Call)
        or not isinstance(place.term.callee, Attr)
        or not (last_name(place.term) or "").endswith("seed")
    ):
        return False
    base = place.term.callee.base
    words = frozenset(words_of(job.program, base))
    if not words.isdisjoint(_COMMON):
        return False
    values = job.program.values(base, job.program.frame(place.module, place.function))
    if any(isinstance(each, LibraryObject) and each.name in table(job, "generators") for each in values):
        return True
    return not any(isinstance(each, Library) for each in values) and not words.isdisjoint(_GENERATORS)
