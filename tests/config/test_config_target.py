"""What follows from the declared framework versions."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from trainlint.config import Target
from trainlint.config.target import FRAMEWORKS, normal_name, version_range


def test_nothing_declared():
    target = Target({"jax": ">=0.4"})
    assert not target.declared("torch")
    assert target.may_be_below("torch", "2.6")
    assert target.may_be_at_least("torch", "2.6")
    assert not target.below("torch", "2.6")


@pytest.mark.parametrize(
    ("specifier", "at_least", "below"),
    [
        (">=2.4", False, False),
        (">=2.6", True, False),
        (">=2.6.1", True, False),
        (">2.5", False, False),
        (">2.6", True, False),
        ("<2.6", False, True),
        ("<=2.6", False, False),
        ("<2.6.1", False, False),
        (">=2.4,<2.6", False, True),
        (">=2.6,<3", True, False),
        ("==2.5.1", False, True),
        ("==2.6.0", True, False),
        ("==2.5.*", False, True),
        ("==2.*", False, False),
        ("~=2.5", False, False),
        ("~=2.5.1", False, True),
        (">=2.5,!=2.5.*", True, False),
        (">=2.4,!=2.4.*,!=2.5.*", True, False),
        ("<2.7,!=2.6.*", False, True),
        ("<=2.6,!=2.6.*", False, True),
        ("<=2.6,!=2.6", False, True),
        (">=2.5,!=2.5", False, False),
        ("!=2.5", False, False),
    ],
)
def test_against_2_6(specifier, at_least, below):
    target = Target({"torch": specifier})
    assert target.declared("torch")
    assert target.may_be_below("torch", "2.6") is not at_least
    assert target.below("torch", "2.6") is below
    assert target.may_be_at_least("torch", "2.6") is not below


def test_names_are_normalised():
    assert not Target({"torch-xla": ">=2.6"}).may_be_below("torch_xla", "2.5")
    assert list(FRAMEWORKS) == sorted(map(normal_name, FRAMEWORKS))


@pytest.mark.parametrize(
    "specifier", ["", "2.4", "newest", "===2.4", ">=2.4 <3", ">=2.6,<2.6", "==2.5,!=2.5", ">2,<=2", "==2.4,==2.5"]
)
def test_what_is_no_range(specifier):
    with pytest.raises(ValueError, match=r"is not a|no version satisfies"):
        version_range(specifier)


# Every version with three small parts, and one between any two of those that differ in the last part.
GRID = [Version(f"{a}.{b}.{c}{d}") for a, b, c, d in itertools.product(range(4), range(4), range(4), ("", ".5"))]
VERSIONS = st.tuples(st.integers(1, 2), st.integers(1, 2)).map("{0[0]}.{0[1]}".format)
CLAUSES = st.one_of(
    st.tuples(st.sampled_from([">=", ">", "<=", "<", "==", "!=", "~="]), VERSIONS).map("".join),
    st.tuples(st.sampled_from(["==", "!="]), VERSIONS, st.just(".*")).map("".join),
)


@given(st.lists(CLAUSES, min_size=1, max_size=3).map(",".join), VERSIONS)
def test_agrees_with_trying_every_version(specifier, version):
    allowed = [candidate for candidate in GRID if candidate in SpecifierSet(specifier)]
    try:
        version_range(specifier)
    except ValueError:
        assert not allowed
        return
    assert allowed
    target = Target({"torch": specifier})
    assert target.may_be_below("torch", version) is any(candidate < Version(version) for candidate in allowed)
    assert target.may_be_at_least("torch", version) is any(candidate >= Version(version) for candidate in allowed)
