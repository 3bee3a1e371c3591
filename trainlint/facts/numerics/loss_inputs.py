"""Which losses are given what they do not expect: probabilities where logits belong, and the like."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from trainlint.facts.numerics.last_operation import Head, Heads
from trainlint.facts.numerics.losses import Loss, Losses
from trainlint.facts.precision.autocast import Autocast
from trainlint.facts.precision.regimes import Regimes
from trainlint.facts.program import Program
from trainlint.finding import Reason, Spot, Suspect

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
        what = f"this {word} goes into `{found.name}`, which {does}"
    else:
        what = f"if both are chosen, this {word} goes into `{found.name}`, which {does}"
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
    places += [(place, "by way of this call") for place in found.head.way if place[0] == loss[0]]
    if found.here and not found.within:
        places.append((found.head.place, f"{what} is applied here"))
    places += [((other.frame.module, other.site.call.term.site), "and here") for other in found.others]
    seen = {found.place}
    told = []
    for place, message in places:
        if place not in seen:
            seen.add(place)
            told.append(Reason(*place, message))
    return tuple(told)
