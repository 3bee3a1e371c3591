"""Losses of libraries: where one is computed, what it expects, what it is given instead, and how that is mended.

Where a loss of a library is computed, of what, and what it takes that for.

``F.cross_entropy(x, y)``, ``criterion(x, y)`` where ``criterion`` is an ``nn.CrossEntropyLoss()`` that some caller
made, and the one in a loss class of the project. What a configuration chooses among several kinds is each of them,
and says so.

Which losses are given what they do not expect: probabilities where logits belong, and the like.

How a loss that is given the wrong thing is given the right one, as a change of the source.

Divergences that are averaged over everything because nobody said how: ``kl_div(p, q)``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from trainlint.domains.last_operation import GIVEN, Head, Heads, argument
from trainlint.domains.precision.autocast import Autocast, Regimes
from trainlint.edits.changes import Change, Replace, Rewrite, SetKeyword
from trainlint.finding import Applicability, Reason, Spot, Suspect
from trainlint.ir.nodes import NAMES, VARIABLES, Attr, Call, Param, Star, Term
from trainlint.ir.printer import lasting
from trainlint.ir.sketch import Function, Keep, Store
from trainlint.ir.terms import parts_of
from trainlint.ir.walk import of_kind
from trainlint.program import naming
from trainlint.program.call_graph import CallGraph, CallSite, chained, last_name
from trainlint.program.contexts import calling_contexts, comes_to, contexts_at
from trainlint.program.program import Program, calls_of
from trainlint.program.values import (
    Argument,
    ClassValue,
    Context,
    FunctionValue,
    Instance,
    Library,
    LibraryObject,
    Unresolved,
    Value,
    names_class,
)


class Loss(NamedTuple):
    """One computation of a loss in one activation. ``name`` is the library's, ``word`` what it takes ``given`` for.

    ``made`` is the call that made it, for a loss that is an object. ``others`` are the words of what else may be called there
    (None: no loss that is known): it is chosen by a configuration.
    """

    site: CallSite
    frame: Context
    name: str
    word: str
    given: Term
    made: LibraryObject | None
    others: frozenset[str | None] = frozenset()


class Losses:
    """The losses of a program; found once."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.knowledge = program.knowledge
        self.index = program.ask(CallGraph)
        self._sites = list(self._named())
        self.found = list(self._losses())

    def _named(self) -> Iterator[CallSite]:
        """Calls of what goes by the name of a loss."""
        seen: set[int] = set()
        names = dict.fromkeys(name.rpartition(".")[2] for name in self.knowledge.expecting)
        for name in names:
            for site in self.index.sites_named(name):
                if id(site.call) not in seen:
                    seen.add(id(site.call))
                    yield site
        for site in self.index.results:
            maker = last_name(self._made(site.call.term.callee)) or ""
            if id(site.call) not in seen and (maker in names or self._speaks(maker)):
                seen.add(id(site.call))
                yield site
        for site in self.index.items:
            named = (part.name for part in parts_of(site.call.term.callee) if isinstance(part, NAMES))
            if id(site.call) not in seen and site.call.term.args and any(self._speaks(name) for name in named):
                seen.add(id(site.call))
                yield site
        goes_by = self._handed_over(names)
        for name, sites in self.index.sites.items():
            if name in goes_by or self._speaks(name):
                for site in sites:
                    if isinstance(site.call.term.callee, VARIABLES) and site.call.term.args and id(site.call) not in seen:
                        seen.add(id(site.call))
                        yield site

    def _handed_over(self, makers: Iterable[str]) -> set[str]:
        """The names that losses go by from where they are made: attributes they are put in, parameters they are handed to."""
        found: set[str] = set()
        for site in (site for maker in makers for site in self.index.sites_named(maker)):
            made, function = site.call.term, site.function
            stored = [(node.target, node.value) for node in of_kind(function, Store)]
            stored += [(node.target, node.value) for node in of_kind(function, Keep)]
            found.update(target.name for target, value in stored if isinstance(target, Attr) and self._made(value) is made)
            for other in calls_of(function):
                given = (*other.term.args, *(value for _, value in other.term.kwargs))
                if any(self._made(value) is made for value in given):
                    found |= self._parameters(other.term, made, self.program.frame(site.module, function))
        return found

    def _parameters(self, call: Call, made: Call, frame: Context) -> set[str]:
        """The parameters of functions of the project that a call hands a loss to."""
        targets = (target for target in self.index.targets(call, frame) if isinstance(target, FunctionValue))
        entered = (self.program.enter(target, call, frame) for target in targets)
        bound = (item for inner in entered for item in inner.arguments.items())
        return {name for name, given in bound if isinstance(given, Argument) and self._made(given.term) is made}

    def _speaks(self, name: str) -> bool:
        return any(word in name.lower() for word in self.knowledge.loss_words)

    def _made(self, term: Term) -> Term:
        """What ``nn.CrossEntropyLoss().cuda()`` is made with."""
        while (itself := chained(self.program, term)) is not None:
            term = itself
        return term

    def _losses(self) -> Iterator[Loss]:
        for site in self._sites:
            given = argument(site.call.term, 0, GIVEN)
            if given is None:
                continue  # it makes a loss, and computes none
            for frame in self.frames(site.module, site.function):
                if not comes_to(self.program, site, frame):
                    continue
                named = self._named_by(site.call.term, frame)
                for word, (name, made) in named.items():
                    if word is not None:
                        yield Loss(site, frame, name, word, given, made, frozenset(named) - {word})

    def frames(self, module: str, function: Function) -> list[Context]:
        """The activations of a function; of a ``forward`` also those in which its object is called."""
        found = calling_contexts(self.program, module, function)
        if function.cls is not None and function.name in self.knowledge.runs_model:
            entered = [frame for site in self._callers(function) for frame in self._entered(site, function)]
            found = entered or found
        return found

    def _callers(self, function: Function) -> Iterator[CallSite]:
        """Calls that may run an object's ``forward``: by the names of its class, or of what somebody calls his loss."""
        yield from dict.fromkeys((*self.index.objects_called(function), *self._sites))

    def _entered(self, site: CallSite, function: Function) -> Iterator[Context]:
        if site.function is function:
            return
        for caller in contexts_at(self.program, site):
            for target in self.index.targets(site.call.term, caller):
                if isinstance(target, FunctionValue) and target.function is function and not caller.runs(function):
                    yield self.program.enter(target, site.call.term, caller)

    def _named_by(self, call: Call, frame: Context) -> dict[str | None, tuple[str, LibraryObject | None]]:
        """The losses that may be called, one for each word; under None what is none that is known."""
        found: dict[str | None, tuple[str, LibraryObject | None]] = {}
        for value in self._called(call.callee, frame):
            one = self._loss(value, call)
            if one is None:
                found.setdefault(None, ("", None))
            else:
                found.setdefault(self.knowledge.expecting[one[0]], one)
        return found

    def _called(self, callee: Term, frame: Context) -> Iterator[Value]:
        """What may be called: also the default of a parameter for which nobody in sight gives anything."""
        for value in self.program.ask(Heads).callees(callee, frame):
            yield value
            if isinstance(value, Unresolved) and isinstance(value.term, Param):
                holder = value.frame.holder(value.term.function)
                default = holder.function.defaults.get(value.term.name) if holder is not None else None
                if default is not None and holder is not None:
                    yield from self.program.values(default, holder.closure or holder)

    def _loss(self, value: Value, call: Call) -> tuple[str, LibraryObject | None] | None:
        known = isinstance(value, (Library, LibraryObject)) and value.name in self.knowledge.expecting
        if isinstance(value, Library) and known and not names_class(value.name):
            return value.name, None
        if isinstance(value, LibraryObject) and known and value.call is not call:
            return value.name, value
        if isinstance(value, Instance):
            cls = ClassValue(value.module, value.cls)
            if self.program.method(cls, "forward") is None:
                above = (one.name for one in self.program.lineage(cls) if isinstance(one, Library))
                name = next((name for name in above if name in self.knowledge.expecting), None)
                return (name, None) if name is not None else None
        return None


#: What a loss takes its input for that autocast refuses, and on which device.
PROBABILITIES, _REFUSING = "probabilities", "cuda"
#: What losses take that nobody chooses for a model which ends in a softmax or sigmoid.
_OF_LOGITS = "sigmoid"
_FITS_NONE = frozenset(("softmax", _OF_LOGITS, None))


class Fed(NamedTuple):
    """A loss, and the function or layer whose result it is given. ``others`` are further losses that are given the same.

    ``sure``: neither is one of several that a configuration chooses.
    """

    loss: Loss
    head: Head
    others: tuple[Loss, ...] = ()
    sure: bool = True

    @property
    def here(self) -> bool:
        """Whether function and loss stand in one function, so that it was applied for the loss, or can be left out for it."""
        return self.head.frame is self.loss.frame and not self.head.layer

    @property
    def place(self) -> tuple[str, Spot]:
        """What is to be changed: the loss where the function was applied for it, else the function or layer."""
        return (self.loss.frame.module, self.loss.site.call.term.site) if self.here else self.head.place

    @property
    def within(self) -> bool:
        """Whether the function is applied in the very call of the loss."""
        return self.here and self.loss.site.call.term.site.holds(self.head.call.site)

    @property
    def name(self) -> str:
        """What the loss is called, without its package."""
        return self.loss.name.rpartition(".")[2]


def fed(program: Program, expects: str, word: str) -> Iterator[Fed]:
    """Each function or layer (a ``word`` of the table ``numerics``) whose result a loss is given that ``expects`` something else.

    One for each place where that is computed, with the first loss that is given it. What is one of several is among them only
    where no choice fits: see :func:`_chosen`.
    """
    found: dict[tuple[str, Spot], Fed] = {}
    for loss in sorted(program.ask(Losses).found, key=lambda loss: bool(loss.others)):
        if loss.word != expects:
            continue
        for head, sure in _chosen(program.ask(Heads).of(loss.given, loss.frame), loss, word):
            one = Fed(loss, head, sure=sure)
            known = found.setdefault(one.place, one)
            if sure == known.sure and all(other.site.call is not loss.site.call for other in (known.loss, *known.others)):
                found[one.place] = known._replace(others=(*known.others, loss))
    yield from found.values()


def _chosen(found: tuple[Head, ...], loss: Loss, word: str) -> Iterator[tuple[Head, bool]]:
    """What a loss is given, if that is the ``word``, and whether that is sure: a loss or a model may be one of several.

    A loss of probabilities is given some, whatever else the model may end in. Any other loss is taken to go with the other ends
    of the model, unless all that may be chosen instead of it does not fit this one, either.
    """
    own = [head for head in found if head.word == word]
    if not own or (len(own) < len(found) and loss.word != PROBABILITIES and not (loss.others and loss.others <= _FITS_NONE)):
        return
    for head in own:
        yield head, len(own) == len(found) and not loss.others


def is_trained(program: Program, found: Fed) -> bool:
    """Whether gradients are recorded where the loss is computed."""
    return program.ask(Regimes).of(found.loss.site.call.term, found.loss.frame).grad


def refused(program: Program, loss: Loss) -> tuple[Autocast, ...]:
    """The autocasts of CUDA, one of which is on where a loss of probabilities is computed: it raises an error there.

    Empty where another one may be on, or none; or where the same loss of logits may be chosen instead: that is what for.
    """
    asked = loss.word == PROBABILITIES and _OF_LOGITS not in loss.others
    found = program.ask(Regimes).of(loss.site.call.term, loss.frame).autocasts if asked else ()
    return found if found and all(one.device == _REFUSING and one.enabled is not False for one in found) else ()


def refusals(program: Program) -> Iterator[tuple[Loss, Autocast, Fed | None]]:
    """Each loss of probabilities under an autocast of CUDA, and the sigmoid that it is given, if that is so."""
    seen: set[tuple[str, Spot]] = set()
    for loss in sorted(program.ask(Losses).found, key=lambda loss: bool(loss.others)):
        place = (loss.frame.module, loss.site.call.term.site)
        contexts = refused(program, loss) if place not in seen else ()
        if contexts:
            seen.add(place)
            given = program.ask(Heads).agreed(loss.given, loss.frame, "sigmoid")
            yield loss, contexts[0], Fed(loss, given[0]) if len(given) == 1 and not loss.others else None


def suspect(found: Fed, word: str, does: str, given: str, harm: str, change: object) -> Suspect:
    """The suspect of a loss that ``does`` something to the ``word`` it is ``given``: at the loss where both stand together."""
    path, spot = found.place
    if found.sure and found.here:
        what = f"`{found.name}` {does}, and is given {given}"
    elif found.sure:
        what = f"`{word}` is applied before `{found.name}`, which {does}"
    else:
        what = f"`{word}` is applied before `{found.name}`, which {does} (where both are selected)"
    data = {"change": change if found.sure else None}
    evidence: Literal["must", "likely"] = "must" if found.sure else "likely"
    because = reasons(found, f"the {word}")
    message = f"{what}\n{harm}"
    return Suspect(
        path=path, spot=spot, node="Call", statement=spot, message=message, because=because, data=data, evidence=evidence
    )


def reasons(found: Fed, what: str) -> tuple[Reason, ...]:
    """Where the other one of the two stands, and where the model is called in between."""
    loss = (found.loss.frame.module, found.loss.site.call.term.site)
    places = [] if found.here else [(loss, "the loss is computed here")]
    places += [(place, "through this call") for place in found.head.way if place[0] == loss[0]]
    if found.here and not found.within:
        places.append((found.head.place, f"{what} is applied here"))
    places += [((other.frame.module, other.site.call.term.site), "the loss is also computed here") for other in found.others]
    seen = {found.place}
    told = []
    for place, message in places:
        if place not in seen:
            seen.add(place)
            told.append(Reason(*place, message))
    return tuple(told)


Path = tuple[tuple[str, int | str], ...]


def applied_to(program: Program, fed: Fed) -> Path:
    """The way from a call of a function to what it is applied to."""
    call = fed.head.call
    if program.ask(Heads).method(call, fed.head.frame) is not None:
        return (("receiver", 0),)
    return (("argument", 0),) if call.args else (("keyword", GIVEN),)


def left_out(program: Program, fed: Fed, message: str) -> Change | None:
    """The function is left out, for the loss alone where that can be written; a layer becomes one that does nothing.

    Of an exponential its logarithm is left, which only a softmax takes as it is.
    """
    head, module = fed.head, program.modules[fed.head.frame.module]
    if head.undone and head.word != "softmax":
        return None
    if head.layer:
        nothing = naming.reference(program.knowledge.written["identity"], module)
        return Replace(Applicability.UNSAFE, message, spot=head.call.site, code=f"{nothing}()") if nothing is not None else None
    name = given_to_loss(fed)
    if name is not None and fed.loss.site.call.term.args:
        return SetKeyword(Applicability.UNSAFE, message, call=fed.loss.site.call.term.site, keyword=GIVEN, value=name, position=0)
    return Rewrite(Applicability.UNSAFE, message, spot=head.call.site, code="{0}", paths=(applied_to(program, fed),))


def given_to_loss(fed: Fed) -> str | None:
    """The name, in the function of the loss, of what the function was applied to; where the loss is given its result as it is."""
    head = fed.head
    if not fed.here or fed.within or fed.loss.given is not head.call or head.given is None:
        return None
    return lasting(head.given, fed.loss.site.function)


def in_logarithms(program: Program, fed: Fed, message: str) -> Change | None:
    """The function, or the class of the layer, is replaced by the one of its logarithm (table ``numerics.logarithms``)."""
    instead = program.knowledge.logarithms
    head, module = fed.head, program.modules[fed.head.frame.module]
    method = program.ask(Heads).method(head.call, head.frame)
    if method is not None and not head.layer:
        other = instead.get(method, "").rpartition(".")[2]
        paths: tuple[Path, ...] = ((("receiver", 0),), (("arguments", 0),))
        return (
            Rewrite(Applicability.UNSAFE, message, spot=head.call.site, code=f"{{0}}.{other}({{1}})", paths=paths)
            if other
            else None
        )
    named = [value.name for value in program.values(head.call.callee, head.frame) if isinstance(value, Library)]
    known = naming.reference(instead[named[0]], module) if len(named) == 1 and named[0] in instead else None
    if known is None:
        return None
    return Rewrite(Applicability.UNSAFE, message, spot=head.call.site, code=f"{known}({{0}})", paths=((("arguments", 0),),))


def applied_by_loss(program: Program, fed: Fed, message: str) -> Change | None:
    """The loss is replaced by one that applies the function itself (table ``numerics.with_logits``); only where both stand."""
    call: Call = fed.loss.site.call.term
    other = naming.reference(program.knowledge.with_logits.get(fed.loss.name, ""), program.modules[fed.loss.frame.module])
    if (
        other is None
        or not fed.here
        or fed.head.undone
        or fed.loss.given is not fed.head.call
        or fed.loss.made is not None
        or not call.args
    ):
        return None
    if fed.within:
        paths: tuple[Path, ...] = ((("argument", 0), *applied_to(program, fed)), (("arguments", 1),))
        return Rewrite(Applicability.SAFE, message, spot=call.site, code=f"{other}({{0}}{{,1}})", paths=paths)
    name = given_to_loss(fed)
    if name is None:
        return None
    return Rewrite(Applicability.SAFE, message, spot=call.site, code=f"{other}({name}{{,0}})", paths=((("arguments", 1),),))


_WORD = "divergence"
#: The parameters that say how the terms of a loss become one number; the first two are those of earlier versions.
_REDUCTIONS = frozenset(("size_average", "reduce", "reduction"))


def unsaid(program: Program) -> Iterator[tuple[CallSite, str]]:
    """Each call of a divergence, or of what makes one, that leaves its reduction to the default; with the name of the loss."""
    known = program.knowledge
    index = program.ask(CallGraph)
    for name, word in known.expecting.items():
        if word != _WORD:
            continue
        for site in index.sites_named(name.rpartition(".")[2]):
            call = site.call.term
            values = program.values(call.callee, program.frame(site.module, site.function))
            if [value.name for value in values if isinstance(value, Library)] != [name] or len(values) != 1:
                continue
            named = {key for key, _ in call.kwargs}
            positional = known.signatures.get(name, [])[: len(call.args)]
            spread = None in named or any(isinstance(given, Star) and not site.function.is_rest(given) for given in call.args)
            if not spread and _REDUCTIONS.isdisjoint((*named, *positional)):
                yield site, name
