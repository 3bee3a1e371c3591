"""The table of codes is the catalogue, and selectors mean what the documentation says."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
from pathlib import Path

import pytest

from trainlint import codes
from trainlint.codes import CODES, DEFAULT, UNSETTLED, UnknownSelector, expand_selectors, resolve

ROOT = Path(__file__).resolve().parent.parent
CATALOGUE = ROOT.parent / "shared" / "catalogue.md"
ROW = re.compile(r"\| (?P<code>TL\d{3}) ?(?P<star>★)? \| (?P<name>[^|]+) \| (?P<level>[^|]+) \| (?P<repair>[^|]*) \|")
LEVEL = re.compile(r"(?P<letter>[EWA])(?P<preview>, a preview until 95 % on unread code)?")

# The rules about files beside the script, which the catalogue's page does not list.
BESIDE_THE_SCRIPT = {
    "TL908": ("incompatible-versions", "E"),
    "TL909": ("no-preemption-handler", "A"),
    "TL920": ("batch-size-mismatch", "E"),
    "TL921": ("precision-conflict", "E"),
    "TL922": ("offload-without-stage", "E"),
    "TL923": ("unknown-config-key", "W"),
    "TL924": ("launcher-config-conflict", "W"),
    "TL925": ("parallel-sizes-mismatch", "E"),
    "TL930": ("launch-mismatch", "W"),
    "TL931": ("environment-mistake", "W"),
    "TL932": ("container-shared-memory", "W"),
    "TL934": ("unpinned-framework", "A"),
}
#: Rules that are newer than the catalogue: name, level.
NEWER = {
    "TL423": ("unscaled-input-gradient", "W"),
    "TL553": ("strategy-without-run", "W"),
    "TL717": ("unreachable-patience", "W"),
    "TL935": ("unread-option", "W"),
}


@pytest.mark.skipif(not CATALOGUE.exists(), reason="the catalogue does not lie beside this checkout")
def test_table_equals_catalogue():
    rows = [ROW.match(line) for line in CATALOGUE.read_text(encoding="utf-8").splitlines() if line.startswith("| TL")]
    assert None not in rows, "a row of the catalogue is written in another way than this test expects"
    levels = {row["code"]: LEVEL.fullmatch(row["level"]) for row in rows}
    assert None not in levels.values(), "a level of the catalogue is written in another way than this test expects"
    assert {code for code, level in levels.items() if level["preview"]} <= UNSETTLED
    expected = {
        row["code"]: (
            row["name"],
            levels[row["code"]]["letter"],
            "".join(re.findall(r"\b[sud]\b", row["repair"])),
            bool(row["star"]),
        )
        for row in rows
    }
    others = CODES.keys() - BESIDE_THE_SCRIPT.keys() - NEWER.keys()
    assert {code: (CODES[code].name, CODES[code].level, CODES[code].repairs, CODES[code].star) for code in others} == expected


@pytest.mark.parametrize("rules", [BESIDE_THE_SCRIPT, NEWER])
def test_rules_that_the_catalogue_does_not_have(rules: dict[str, tuple[str, str]]) -> None:
    assert {code: (CODES[code].name, CODES[code].level) for code in rules} == rules


def test_table_is_in_order_and_unambiguous():
    assert list(CODES) == sorted(CODES)
    assert len(codes.NAMES) == len(CODES)
    assert {row.level for row in CODES.values()} == {"E", "W", "A"}
    assert all(row.code == code and set(row.repairs) <= set("sud") for code, row in CODES.items())
    assert {code for code, row in CODES.items() if row.family == "data"} == {code for code in CODES if code.startswith("TL2")}
    assert set(codes.COVERED_BY) | set(codes.COVERED_BY.values()) <= set(CODES)


def test_default_is_errors_and_warnings():
    assert {"TL101", "TL201", "TL104"} <= DEFAULT
    assert "TL114" not in DEFAULT
    previews = (
        "TL103 TL110 TL112 TL113 TL117 TL119 TL120 TL122 TL128 TL208 TL209 TL214 TL217 TL218 TL303 TL304 "
        "TL307 TL309 TL311 TL407 TL412 TL415 TL423 TL504 TL506 TL520 TL522 TL524 TL525 TL526 TL527 TL528 "
        "TL529 TL530 TL532 TL533 TL540 TL542 TL544 TL545 TL550 TL551 TL552 TL553 TL560 TL562 TL570 TL571 "
        "TL601 TL602 TL605 TL611 TL702 TL708 TL711 TL717 TL806 TL904 TL905 TL920 TL921 TL925 TL930 TL932 "
    )
    assert set(previews.split()) == UNSETTLED
    assert not UNSETTLED & {code for code, row in CODES.items() if row.level == "A"}
    assert len(DEFAULT) == sum(row.level in "EW" for row in CODES.values()) - len(UNSETTLED)


@pytest.mark.parametrize(
    ("selectors", "expected"),
    [
        (["TL201"], {"TL201"}),
        (["missing-set-epoch"], {"TL201"}),
        (["TL00"], {"TL001", "TL002", "TL003", "TL004", "TL005", "TL006"}),
        (["TL201", "unreadable-source"], {"TL201", "TL001"}),
        ([], set()),
    ],
)
def test_expand(selectors, expected):
    assert expand_selectors(selectors) == expected


def test_expand_everything():
    assert expand_selectors(["ALL"]) == expand_selectors(["TL"]) == set(CODES)
    assert expand_selectors(["TL8"]) == {code for code in CODES if code.startswith("TL8")}


@pytest.mark.parametrize(
    ("selector", "nearest"),
    [
        ("tl101", "TL101"),
        ("missing_set_epoch", "missing-set-epoch"),
        ("mising-set-epoch", "missing-set-epoch"),
        ("all", "ALL"),
        ("TL999", "TL909"),
        ("tl1", "TL1"),
        ("TL2O1", "TL201"),
        ("", None),
        ("E501", None),
    ],
)
def test_unknown_selector(selector, nearest):
    with pytest.raises(UnknownSelector) as caught:
        expand_selectors(["TL1", selector])
    assert caught.value.selector == selector
    assert caught.value.nearest == nearest
    assert (f'did you mean "{nearest}"?' if nearest else f'"{selector}"') in str(caught.value)
    copy = pickle.loads(pickle.dumps(caught.value))  # noqa: S301 - our own bytes
    assert (copy.selector, str(copy)) == (selector, str(caught.value))


FAMILY = expand_selectors(["TL1"])


@pytest.mark.parametrize(
    ("select", "ignore", "extend_select", "extend_ignore", "expected"),
    [
        (["TL1"], ["TL101"], [], [], FAMILY - {"TL101"}),
        (["TL101"], ["TL1"], [], [], {"TL101"}),
        (["TL1"], ["TL10"], ["TL101"], [], FAMILY - expand_selectors(["TL10"]) | {"TL101"}),
        (["TL1"], [], [], ["rank-conditional-collective"], FAMILY - {"TL101"}),
        (["ALL"], ["TL"], ["TL1"], [], FAMILY),
        (["TL101"], ["TL101"], [], [], set()),
        (["rank-conditional-collective"], ["TL101"], [], [], set()),
        ([], [], ["TL101"], [], {"TL101"}),
        ([], [], [], [], set()),
        (None, [], [], [], DEFAULT),
        (None, ["TL1"], ["TL114"], [], DEFAULT - FAMILY | {"TL114"}),
        (None, ["TL"], [], [], set()),
    ],
)
def test_resolve(select, ignore, extend_select, extend_ignore, expected):
    assert resolve(select, ignore, extend_select, extend_ignore) == expected


def test_resolve_stacks_on_an_earlier_result():
    assert resolve(None, ["TL1"], [], [], default=frozenset({"TL101", "TL201"})) == {"TL201"}
    assert resolve(["TL3"], [], [], [], default=frozenset({"TL101"})) == expand_selectors(["TL3"])


def test_import_is_light():
    script = "import sys; import trainlint.codes; print(*sorted(sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-S", "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    assert "trainlint.codes" in loaded
    assert not {"dataclasses", "difflib", "inspect", "json", "pathlib", "trainlint.finding"} & set(loaded)
