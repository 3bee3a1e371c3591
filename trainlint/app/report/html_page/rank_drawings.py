"""What ranks do, drawn lane by lane: hangs, and loops with unequal rounds.

A hang, drawn rank by rank: what one side runs beside what the other side runs meanwhile.

A line below the first says what each side runs (``trainlint.spmd.divergence_report`` writes it), its related places are the test
where the ways part, the way out that one side takes, and the calls down to the collective. A finding without such a line is shown
as any other.

A loop with more rounds on some ranks than on others, drawn rank by rank: what each gets, and who then waits for whom.

The second line of such a finding gives the shares of four ranks (``TL109`` writes it); what it does not say is not drawn.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from xml.etree import ElementTree as ET

from trainlint.app.report.html_page.elements import Node, element, extend, one_line, prose
from trainlint.app.report.places import LinesOf, cell_of, position
from trainlint.finding import Finding, Place

#: Who a side is, and which ranks these are, in short.
RANKS = {
    "rank 0": "0",
    "the ranks other than 0": "1 … n\N{MINUS SIGN}1",
    "the last rank": "n\N{MINUS SIGN}1",
    "the ranks other than the last": "0 … n\N{MINUS SIGN}2",
    "local rank 0 of each node": "local 0",
    "the ranks other than local rank 0": "local 1 …",
    "some ranks": "some",
    "the other ranks": "others",
}
_WHO = "|".join(map(re.escape, RANKS))
_SENTENCE = re.compile(rf"(?P<reach>{_WHO}) runs?: (?P<runs>.+?) \((?P<at>.+?)\); (?P<miss>{_WHO}): (?P<rest>.+)")
_NOTHING = re.compile(r"nothing(?:, (?:they|it) (?P<left>.+))?")
_INSTEAD = re.compile(r"(?:next )?(?P<name>.+) \((?P<at>[^()]+)\)")
_CHAIN = re.compile(r"`[^`]+` calls `[^`]+` here|the .+ runs here")
_HANGS = re.compile(r"\bhangs? there(?P<when> [^:\n]+?)?(?=,? and |:|$)")

_APART = "the two do not match"


@dataclass
class Side:
    """Some ranks: who they are, the places on their way, and where it ends.

    ``end`` is what stands last (a collective's name, or nothing), ``at`` its place in short, ``fate`` what becomes of them there.
    """

    who: str
    steps: list[Place] = field(default_factory=list)
    end: str = ""
    at: str = ""
    fate: str = ""

    @property
    def single(self) -> bool:
        """Whether these are one rank."""
        return self.who in ("rank 0", "the last rank", "local rank 0 of each node")


@dataclass
class Lanes:
    """Both sides, and the places where their ways part."""

    parting: list[Place]
    reach: Side
    miss: Side


def lanes_of(finding: Finding) -> Lanes | None:
    """The two sides of a finding; None when it is not of that kind."""
    headline, *rest = finding.message.split("\n")
    found = next(filter(None, map(_SENTENCE.fullmatch, rest)), None)
    if found is None:
        return None
    reach = Side(found["reach"], end=found["runs"], at=found["at"])
    miss = Side(found["miss"])
    parting: list[Place] = []
    for place in finding.related:
        if _CHAIN.fullmatch(place.message):
            reach.steps.append(place)
        elif place.message.startswith(f"{miss.who} ") and place.message.endswith(" here"):
            miss.steps.append(place)
        else:
            parting.append(place)
    instead = _INSTEAD.fullmatch(found["rest"])
    nothing = _NOTHING.fullmatch(found["rest"])
    if nothing is None and instead is None:
        return None
    if nothing is None and instead is not None:
        miss.end, miss.at = instead["name"], instead["at"]
    elif nothing is not None and nothing["left"] and not miss.steps:
        miss.end = nothing["left"]
    reach.fate, miss.fate = _fates(headline, reach, miss)
    return Lanes(parting, reach, miss)


def _fates(headline: str, reach: Side, miss: Side) -> tuple[str, str]:
    """What becomes of both sides, as far as the first sentence says so."""
    hangs = _HANGS.search(headline)
    if hangs is not None:
        return (
            f"{'hangs' if reach.single else 'hang'} here{hangs['when'] or ''}",
            f"never {'comes' if miss.single else 'come'} here",
        )
    if "do not match" in headline:
        return _APART, _APART
    if "some hang" in headline:
        return "may wait for ever", "may never come"
    return "", ""


def drawn_lanes(lanes: Lanes, finding: Finding, lines_of: LinesOf) -> ET.Element:
    """Both lanes below the place where they part."""
    own = Place(finding.path, finding.span, "reaches this call" if lanes.reach.single else "reach this call", finding.cell)
    return element(
        "div",
        element("ol", *(_step(place, "", lines_of) for place in lanes.parting), class_="parting") if lanes.parting else None,
        element(
            "div",
            _hang_lane(lanes.reach, [own, *lanes.reach.steps], "reach", lines_of),
            _hang_lane(lanes.miss, lanes.miss.steps, "miss", lines_of),
            class_="pair",
        ),
        class_="lanes",
        role="group",
        aria_label="What each side runs",
    )


def _hang_lane(side: Side, places: Sequence[Place], kind: str, lines_of: LinesOf) -> ET.Element:
    fate = element("strong", side.fate, class_="fate both" if side.fate == _APART else "fate") if side.fate else None
    steps = [_step(place, side.who, lines_of) for place in places]
    if kind == "reach" or (side.end and steps):
        # The last place is the collective itself.
        extend(steps[-1], (fate,)).set("class", "end")
    else:
        next_ = (element("span", "next: ", class_="says"), element("code", side.end), element("small", side.at))
        without = element("span", "goes on without it" if side.single else "go on without it", class_="says")
        said: tuple[Node, ...] = next_ if side.at else (side.end,) if side.end else () if steps else (without,)
        steps += [element("li", *said, fate, class_="end")] if said or fate is not None else []
    title = element("p", element("b", RANKS[side.who], class_="ranks", aria_hidden="true"), side.who, class_="who")
    return element("div", title, element("ol", *steps), class_=f"lane {kind}")


def _step(place: Place, who: str, lines_of: LinesOf) -> ET.Element:
    """A place with its line and what happens there; in a lane that is headed ``who`` the sentence needs not say it again."""
    line = one_line(lines_of(place.path, cell_of(place)), place.span)
    where = position(place.path, cell_of(place), *place.span[:2])
    said = element("span", *prose(place.message.removeprefix(f"{who} ")), class_="says") if place.message else None
    return element("li", line, said, element("small", _short(place), title=where))


def _short(place: Place) -> str:
    """The place as one writes it on a board: no folder, no column."""
    cell = cell_of(place)
    return f"{place.path.name}{'' if cell is None else f', cell {cell}'}:{place.span.line}"


_SHARES = re.compile(
    r"(?:Of (?P<of>\d+) items, for example, f|F)our ranks(?:, for example,)? run (?P<shares>\d+, \d+, \d+ and \d+) iterations\."
)
_LOOP = "some ranks run more iterations of this loop than others"


def drawn_shares(finding: Finding) -> ET.Element | None:
    """Four lanes; None for a finding of another kind, and where all get equally many."""
    headline, _, rest = finding.message.partition("\n")
    found = _SHARES.match(rest)
    if found is None or not headline.startswith(_LOOP):
        return None
    shares = [int(share) for share in re.findall(r"\d+", found["shares"])]
    least = min(shares)
    if max(shares) == least:
        return None
    lanes = [_share_lane(rank, share, waits=share > least) for rank, share in enumerate(shares)]
    return element("div", *lanes, class_="lanes four", role="group", aria_label="How often four ranks run the loop, for example")


def _share_lane(rank: int, share: int, *, waits: bool) -> ET.Element:
    title = element("p", element("b", str(rank), class_="ranks", aria_hidden="true"), f"rank {rank}", class_="who")
    fate = element("strong", "goes on, and hangs" if waits else "is done", class_="fate")
    step = element("li", element("span", f"runs {share}"), fate, class_="end")
    return element("div", title, element("ol", step), class_=f"lane {'reach' if waits else 'miss'}")
