"""What the files of a job are called: with a number in their names, or the same each time.

Whether the name of a file holds a number that the loop around counts up, whatever that is called.

``seen += batch_size`` in a ``while True`` makes ``f"snapshot-{seen // 1000:06d}.pkl"`` another name each time. A number that
begins anew in each round of a loop around it, or goes round itself (``step % 2``), comes back: the file is written over then.

Where the hooks of a save write: into the folder that the save itself is handed.

Accelerate's ``save_state(folder)`` calls each hook that was registered with it, ``hook(models, weights, folder)``: nothing in the
project passes that folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from trainlint.app.preflight.evidence.answers import runs, table, without_option
from trainlint.app.preflight.jobs import Job
from trainlint.app.preflight.line import Evidence, Place
from trainlint.app.preflight.saving.saves import SAVERS, by_line, is_of_project, is_save, own_saves, places_of, saves_of
from trainlint.app.preflight.values.words import handed, split, words_of, written
from trainlint.domains.checkpoints.file_names import Names, Part, Shape, is_numbered, is_one_file
from trainlint.domains.checkpoints.saves import Save, Written
from trainlint.domains.constructor_arguments import led_to
from trainlint.domains.files import argument
from trainlint.finding import Spot
from trainlint.ir.control_dependence import conditions, positive, walk_tested
from trainlint.ir.nodes import Attr, BinOp, Call, Const, LoopPhi, Select, Term
from trainlint.ir.order import before, loops_around, within
from trainlint.ir.sketch import Exit, Function, Keep, Loop
from trainlint.ir.terms import is_text, parts_of, parts_through
from trainlint.ir.walk import of_kind
from trainlint.program.call_graph import last_name
from trainlint.program.contexts import calling_contexts
from trainlint.program.def_use import is_comprehension
from trainlint.program.induction import RoundNumber
from trainlint.program.loops import loops_leading_to
from trainlint.program.sources import passed
from trainlint.program.values import Context, FunctionValue

#: What is reckoned with a number that leaves it one that grows; and what only makes it into a text, or into a whole number.
_RECKONED = frozenset(("Add", "Sub", "Mult", "FloorDiv"))
_CASTS = frozenset(("int", "str", "round"))


def is_counted_up(job: Job, place: Place, endings: Iterable[str]) -> bool:
    """Whether a text that a call is handed, and that looks like a checkpoint's name, holds such a number."""
    way = job.trail.run.get(id(place.function))
    if way is None or way.looped:
        return False
    return any(
        any(end in text for text in whole.texts for end in endings) and any(grows(place.function, each) for each in whole.values)
        for part in parts_of(place.term)
        if (whole := written(part)) is not None
    )


def grows(function: Function, term: Term) -> bool:
    """Whether a value is a number that the outermost loop of a function counts up, or is reckoned from one."""
    return any(_is_counted_up(function, part) for part in parts_through(term, _reckoned_from))


def _reckoned_from(term: Term) -> Sequence[Term]:
    """The numbers that a number is reckoned from, or that a text is written with: ``{seen:06d}``."""
    if isinstance(term, BinOp) and term.op == "Mod":
        return (term.right,) if is_text(term.left) else ()
    if isinstance(term, BinOp):
        return term.sides if term.op in _RECKONED else ()
    return term.args if isinstance(term, Call) and last_name(term.callee) in _CASTS and len(term.args) == 1 else ()


def _is_counted_up(function: Function, term: Term) -> bool:
    if not isinstance(term, LoopPhi) or term.at != "head":
        return False
    sets = [node for node in of_kind(function, Keep) if node.target is term]
    return bool(sets) and all(_is_more(node.value, term) for node in sets) and _is_outermost(function, term)


def _is_more(value: Term, counter: Term) -> bool:
    """Whether a value is that of a counter, and something more."""
    parts = parts_through(value, lambda part: part.sides if isinstance(part, BinOp) and part.op == "Add" else ())
    return value is not counter and any(part is counter for part in parts)


def _is_outermost(function: Function, counter: LoopPhi) -> bool:
    """Whether no loop stands around the one that carries a counter from round to round."""
    line, column = counter.line, counter.column
    loops = [each for each in of_kind(function, Loop) if not is_comprehension(each)]
    own = next((each for each in loops if (each.spot.line, each.spot.column) == (line, column)), None)
    return own is not None and not any(within(function, each, own) for each in loops)


#: The parameter of a hook that is the folder, and a shape of which nothing is known.
_FOLDER = 2
_UNKNOWN: Shape = (Part("unknown"),)


def shapes_of(job: Job, path: Term, frame: Context) -> list[Shape]:
    """What a path may look like that a function saves to; the folder of a hook is that of the saves which call it."""
    found = job.program.ask(Names).shapes(path, frame)
    folder = _folder(job, frame.function)
    here = None if folder is None else Part("setting", folder)
    if here is None or not any(here in shape for shape in found):
        return found
    before = _handed(job) or [_UNKNOWN]
    whole = (tuple(each for part in shape for each in (one if part == here else (part,))) for shape in found for one in before)
    return list(dict.fromkeys(whole))


def _folder(job: Job, function: Function) -> str | None:
    """The name of the parameter of a hook by which it gets the folder; None for what is no hook."""
    own = [each for each in function.parameters if function.cls is None or each != "self"]
    if len(own) <= _FOLDER:
        return None
    for place in runs(job.trail.calls(table(job, "hooks-of-saves"))):
        frame = job.program.frame(place.module, place.function)
        for given in handed(place.term) if isinstance(place.term, Call) else ():
            for value in job.program.values(given, frame):
                if isinstance(value, FunctionValue) and value.function is function:
                    return own[_FOLDER]
    return None


def _handed(job: Job) -> list[Shape]:
    """What the folders look like that the saves are handed; of one that is handed nothing it is not known."""
    found: list[Shape] = []
    for place in runs(job.trail.calls(table(job, "saves-with-hooks"))):
        given = argument(place.term, "0", "output_dir") if isinstance(place.term, Call) else None
        if given is None:
            found.append(_UNKNOWN)
            continue
        for frame in calling_contexts(job.program, place.module, place.function):
            found += job.program.ask(Names).shapes(given, frame)
    return found


#: A whole name of a file, and who only tells of names.
_FILE = re.compile(r"\w\w\.\w")
_TELLS = frozenset(
    ("print", "info", "log", "debug", "warning", "print_log", "write", "replace", "split", "startswith", "glob", "master_print")
)
#: Methods of objects that write the file which they are told first.
_TAKE_PATHS = frozenset(("save_weights", "save_pretrained", "save_model", "save_to_file", "save_lora_weights"))
#: What folders are called.
_FOLDERS = frozenset(("dir", "directory", "folder"))
#: What names of checkpoints end in or hold, and what counts in them.
_ENDINGS = (".pt", ".pth", ".ckpt", ".bin", ".tar", ".pkl", ".h5", ".safetensors", "checkpoint", "ckpt", "epoch_", "step_")


#: How many of the words for states are of optimizers; the others are of schedulers and scalers.
OPTIMIZERS = 8


class Named(NamedTuple):
    """A save with one thing that its path may be; ``tests`` are those that lead to it, each with its file and where."""

    save: Save
    shape: Shape
    tests: tuple[tuple[str, Term, bool, Spot], ...]


def files_of(job: Job, *, resumed: bool = False) -> tuple[list[Evidence], list[Evidence]]:
    """Where the names of saved files are put together: with a number in them, and without.

    What is saved once, before or behind the loop, writes over nothing of it. ``resumed``: only what a run goes on from.
    """
    shapes = [(each.save, each.shape) for each in _named(job)]
    if resumed and any(_holds_optimizer(job, save) for save, _ in shapes):
        shapes = [(save, shape) for save, shape in shapes if not _is_export(job, save)]
    own = _looped(job)
    told = [(each, shape) for each, shape in _told_paths(job) if each.term not in {save.site.call.term for save in own}]
    numbered = list(places_of([save for save, shape in shapes if is_numbered(shape)]))
    numbered += [Evidence(each.module, each.spot, "this save") for each, shape in told if is_numbered(shape)]
    fixed = list(places_of([save for save, shape in shapes if is_one_file(shape)]))
    fixed += [Evidence(each.module, each.spot, "this save") for each, shape in told if is_one_file(shape)]
    settled = {save.site.call.term for save, shape in shapes if is_one_file(shape) or _is_counted_again(shape)}
    settled.update(part for save in own for part in parts_of(save.given) if isinstance(part, Call))  # a state is no name
    if not numbered:
        around_saves = [each for each in job.trail.places if each.way is not None and is_save(each)]
        plain = [each for each in around_saves if each.way is not None and each.way.option is None] or around_saves
        around = {id(each.function) for each in plain}
        for place in job.trail.places:
            if id(place.function) not in around or place.way is None or not place.way.looped or last_name(place.term) in _TELLS:
                continue
            if (place.way.option is not None and plain is not around_saves) or place.term in settled:
                continue
            if is_counted_up(job, place, _ENDINGS):
                numbered.append(Evidence(place.module, place.spot, "this name"))
                continue
            for texts, words in job.trail.texts(place):
                if not any(name in text for text in texts for name in _ENDINGS):
                    continue
                if not words.isdisjoint(table(job, "words-of-counters")):
                    numbered.append(Evidence(place.module, place.spot, "this name"))
                elif not words and is_save(place) and _FILE.search(texts[0]) and not _is_told_folder(job, place):
                    fixed.append(Evidence(place.module, place.spot, "this name"))
    return list(by_line(numbered)), list(by_line(fixed))


def picked(job: Job, *, fixed: bool) -> tuple[str, tuple[Evidence, ...]] | None:
    """The option, as it is written, that picks between files of their own and one file, and where.

    Nobody knows what it is unless somebody says it. ``fixed``: all saves of one file stand behind it, and not all others.
    """
    found = _named(job)
    own = [each for each in found if is_numbered(each.shape)]
    one = [each for each in found if is_one_file(each.shape)]
    wanted, others = (one, own) if fixed else (own, one)
    picks: list[tuple[str, Evidence, Evidence]] = []
    for each in wanted:
        against = next((pair for other in others if (pair := _opposed(job, each, other)) is not None), None)
        if against is None:
            return None
        picks.append(against)
    if not picks:
        return None
    option, here, there = picks[0]
    return job.options.written(option), (here, there)


def _opposed(job: Job, one: Named, other: Named) -> tuple[str, Evidence, Evidence] | None:
    """The option by which either one save is done or the other, if its value is not known; and where both stand."""
    for path, test, arm, spot in one.tests:
        for module, also, against, place in other.tests:
            if module != path or also is not test or against is arm or _is_said(job, test, path):
                continue
            option = job.options.name(test, path) or _declared(job, test)
            if option is not None:
                here = Evidence(path, spot, "a file of its own" if is_numbered(one.shape) else "the same file")
                return option, here, Evidence(path, place, "a file of its own" if is_numbered(other.shape) else "the same file")
    return None


def _is_said(job: Job, test: Term, path: str) -> bool:
    """Whether it is known what a test comes to: not where it asks about an option that has to be said, and no line says it."""
    name = job.options.name(test, path)
    option = job.options.declared.get(name) if name is not None else None
    if option is not None and option.is_required and not job.options.is_given(option.name):
        return False
    return job.options.default(test, path) is not None


def _declared(job: Job, test: Term) -> str | None:
    """The option that a test asks about by an attribute of its name, wherever that was put: ``hps.keep_all == 1``."""
    return next((part.name for part in parts_of(test) if isinstance(part, Attr) and part.name in job.options.declared), None)


def _named(job: Job) -> list[Named]:
    """The saves that are done again and again, each with what its path may be: those first that need no option."""
    found = [
        Named(save, shape, (*_leading(save), *tests))
        for save in _looped(job)
        if save.path is not None
        for path, frame, tests in _arms(save.path, save.frame)
        for shape in _distinct(job, shapes_of(job, path, frame))
    ]
    optional = {
        each.term for each in job.trail.calls(table(job, "saves")) if each.way is not None and each.way.option is not None
    }
    found = [each for each in found if each.save.site.call.term not in optional] or found
    return [
        each
        for each in found
        if all(not _is_said(job, test, path) or job.options.off(test, arm, path) is None for path, test, arm, _ in each.tests)
    ] or found


def _distinct(job: Job, shapes: Iterable[Shape]) -> Iterator[Shape]:
    """Paths, without a number that begins again while the job runs if there is no other: it names several files alike."""
    for shape in shapes:
        counts = [part.counts for part in shape if part.kind == "number"]
        if counts and all(each is not None and _begins_again(job, each) for each in counts):
            yield tuple(part._replace(kind="unknown") if part.kind == "number" else part for part in shape)
        else:
            yield shape


def _is_counted_again(shape: Shape) -> bool:
    """Whether a path is one of those whose numbers all begin again."""
    return any(part.kind == "unknown" and part.counts is not None for part in shape)


def _begins_again(job: Job, number: RoundNumber) -> bool:
    """Whether the loop whose rounds a number counts is run several times: by one around it or around a call of it."""
    if any(not is_comprehension(loop) for loop, _ in loops_leading_to(number.loop, number.frame)):
        return True
    frame = number.frame
    while frame.caller is not None:
        frame = frame.caller
    way = job.trail.run.get(id(frame.function))
    return way is not None and way.looped


def _looped(job: Job) -> list[Save]:
    """The saves that are done again and again, if there are any, in what the job itself runs."""
    own = own_saves(job)
    own = [save for save in own if _is_of_job(job, save.frame)] or own
    seen = {save.site.call.term for save in own}
    unseen = (each for each in runs(saves_of(job)) if each.term not in seen and not is_of_project(job, each))
    others = any(each.way is not None and each.way.looped for each in unseen)
    return [save for save in own if _is_looped(job, save)] or ([] if others else own)


def _holds_optimizer(job: Job, save: Save) -> bool:
    """Whether the state of an optimizer is seen in what is saved."""
    words = frozenset(table(job, "optimizer-words")[:OPTIMIZERS])
    return any(not words.isdisjoint(split(key)) for each in job.program.ask(Written).contents(save) for key in each.items)


def _is_export(job: Job, save: Save) -> bool:
    """Whether weights alone are saved, beside what holds an optimizer: no run goes on from these."""
    if _holds_optimizer(job, save):
        return False
    found = job.program.ask(Written).contents(save)
    if found:
        return all(each.whole for each in found)
    return isinstance(save.given, Call) and last_name(save.given.callee) == "state_dict"


def _leading(save: Save) -> Iterator[tuple[str, Term, bool, Spot]]:
    """The tests that lead to a save, and to the calls that lead to it."""
    for frame, call in save.leading():
        for test, arm in conditions(led_to(frame.function, call)):
            yield frame.module, *positive(test, holds=arm), call.site


def _arms(path: Term, frame: Context) -> Iterator[tuple[Term, Context, tuple[tuple[str, Term, bool, Spot], ...]]]:
    """What a path may be where a test picks it: ``"last.pt" if args.one else f"{step}.pt"``, each with the test."""
    path, frame = passed(path, frame)
    if isinstance(path, Select):
        for term, arm in ((path.then, True), (path.other, False)):
            yield term, frame, ((frame.module, *positive(path.test, holds=arm), frame.function.spot),)
    else:
        yield path, frame, ()


def _told_paths(job: Job) -> Iterator[tuple[Place, Shape]]:
    """The saves in the loop by objects that are told a path, and whose code is not seen: each with what its path may be."""
    found = saves_of(job)
    for place in without_option(found) or runs(found):
        term = place.term
        if (
            place.way is None
            or not place.way.looped
            or not isinstance(term, Call)
            or last_name(term.callee) not in _TAKE_PATHS
            or not term.args
            or is_of_project(job, place)
        ):
            continue
        frames = calling_contexts(job.program, place.module, place.function)
        for frame in [each for each in frames if _is_of_job(job, each)] or frames:
            yield from ((place, shape) for shape in shapes_of(job, term.args[0], frame))


def _is_told_folder(job: Job, place: Place) -> bool:
    """Whether a save is handed a folder before its file's name, there may be one for each save: ``save(folder, "train.pt")``."""
    before = place.term.args[:1] if isinstance(place.term, Call) else ()
    words = {word for each in before if not isinstance(each, Const) for word in words_of(job.program, each)}
    return bool(words) and (not _FOLDERS.isdisjoint(words) or words.isdisjoint((*table(job, "words-of-states"), *SAVERS)))


def _is_of_job(job: Job, frame: Context) -> bool:
    """Whether those who call a function for an activation run with the job: other scripts use what is shared, too."""
    return all(job.trail.reaches(each.function, each.module) for each in frame.active())


def _is_looped(job: Job, save: Save) -> bool:
    """Whether a save, as it is called here, is done again and again; not where the process ends behind it."""
    if any(_ends_behind(frame.function, call) for frame, call in save.leading()):
        return False
    outermost = save.site.function
    for frame, call in save.leading():
        if _loops(frame.function, call.site):
            return True
        outermost = frame.function
    way = job.trail.run.get(id(outermost))
    return way is not None and way.looped


def _loops(function: Function, spot: Spot) -> list[Loop]:
    return [loop for loop in loops_around(function, spot) if not is_comprehension(loop)]


def _ends_behind(function: Function, call: Call) -> bool:
    """Whether the process ends in the same round as a call, and by the same tests: ``save(net); os._exit(0)``."""
    ends = [
        (node.spot, conditions(led)) for node, led in walk_tested(function.body) if isinstance(node, Exit) and node.kind == "exit"
    ]
    tests = conditions(led_to(function, call)) if ends else ()
    around = _loops(function, call.site) if ends else []
    return any(before(function, call, spot) and led == tests and _loops(function, spot) == around for spot, led in ends)
