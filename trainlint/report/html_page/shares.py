"""A loop with more rounds on some ranks than on others, drawn rank by rank: what each gets, and who then waits for whom.

The second line of such a finding gives the shares of four ranks (``TL109`` writes it); what it does not say is not drawn.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET  # only written here, never read

from trainlint.finding import Finding
from trainlint.report.html_page.tree import element

_SHARES = re.compile(
    r"(?:Of (?P<of>\d+) items, for example, f|F)our ranks(?:, for example,)? get (?P<shares>\d+, \d+, \d+ and \d+)\."
)
_LOOP = "some ranks make more rounds of this loop than others"


def drawn(finding: Finding) -> ET.Element | None:
    """Four lanes; None for a finding of another kind, and where all get equally many."""
    headline, _, rest = finding.message.partition("\n")
    found = _SHARES.match(rest)
    if found is None or not headline.startswith(_LOOP):
        return None
    shares = [int(share) for share in re.findall(r"\d+", found["shares"])]
    least = min(shares)
    if max(shares) == least:
        return None
    lanes = [_lane(rank, share, waits=share > least) for rank, share in enumerate(shares)]
    return element("div", *lanes, class_="lanes four", role="group", aria_label="What four ranks get, for example")


def _lane(rank: int, share: int, *, waits: bool) -> ET.Element:
    title = element("p", element("b", str(rank), class_="ranks", aria_hidden="true"), f"rank {rank}", class_="who")
    fate = element("strong", "goes on, and hangs" if waits else "is done", class_="fate")
    step = element("li", element("span", f"gets {share}"), fate, class_="end")
    return element("div", title, element("ol", step), class_=f"lane {'reach' if waits else 'miss'}")


__all__ = ["drawn"]
