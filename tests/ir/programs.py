"""Random programs: every one parses, none has to make sense."""

from __future__ import annotations

import ast

from hypothesis import strategies as st

NAMES = st.sampled_from(["a", "b", "c", "self", "dist", "xs"])


def _nested(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(NAMES, inner, inner).map(lambda t: f"{t[0]}({t[1]}, k={t[2]})"),
        inner.map(lambda e: f"({e}).m()"),
        inner.map(lambda e: f"({e}).attr"),
        st.tuples(inner, st.sampled_from(["and", "or", "+", "*", "<", "=="]), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(inner, inner, inner).map(lambda t: f"({t[0]} if {t[1]} else {t[2]})"),
        st.tuples(inner, NAMES, inner, inner).map(lambda t: f"[{t[0]} for {t[1]} in {t[2]} if {t[3]}]"),
        st.tuples(NAMES, inner).map(lambda t: f"({t[0]} := {t[1]})"),
        st.tuples(NAMES, inner).map(lambda t: f"(lambda {t[0]}: {t[1]})"),
        st.tuples(inner, inner).map(lambda t: f"({t[0]}, {t[1]})"),
        st.tuples(inner, inner).map(lambda t: f"({t[0]})[{t[1]}]"),
        st.tuples(inner, inner, inner).map(lambda t: f"({t[0]})[{t[1]} : {t[2]}, ...]"),
        inner.map(lambda e: f"(~{e})"),
        inner.map(lambda e: f"(not {e})"),
    )


EXPRESSIONS = st.recursive(st.one_of(NAMES, st.sampled_from(["1", "0", "'s'", "None", "True"])), _nested, max_leaves=6)
TARGETS = st.one_of(NAMES, st.sampled_from(["self.x", "a, b", "a, *b, c", "xs[0]", "self.x, (b, c)"]))


def _indented(block: list[str]) -> str:
    return "\n".join("    " + line for statement in block for line in statement.split("\n"))


_SIMPLE = st.one_of(
    EXPRESSIONS,
    st.tuples(TARGETS, EXPRESSIONS).map(lambda t: f"{t[0]} = {t[1]}"),
    st.tuples(NAMES, EXPRESSIONS).map(lambda t: f"{t[0]} += {t[1]}"),
    EXPRESSIONS.map(lambda e: f"assert {e}"),
    EXPRESSIONS.map(lambda e: f"raise {e}"),
    st.sampled_from(["import torch.distributed as dist", "from a.b import c", "import a.b", "del a", "pass"]),
)


def _blocks(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    block = st.lists(inner, min_size=1, max_size=3).map(_indented)
    header = st.one_of(
        EXPRESSIONS.map(lambda e: f"if {e}:"),
        EXPRESSIONS.map(lambda e: f"while {e}:"),
        st.tuples(NAMES, EXPRESSIONS).map(lambda t: f"for {t[0]} in {t[1]}:"),
        st.tuples(EXPRESSIONS, NAMES).map(lambda t: f"with {t[0]} as {t[1]}:"),
        st.tuples(NAMES, NAMES, EXPRESSIONS).map(lambda t: f"def {t[0]}({t[1]}={t[2]}):"),
        st.tuples(NAMES, EXPRESSIONS).map(lambda t: f"class {t[0]}({t[1]}):"),
    )
    return st.one_of(
        st.tuples(header, block).map("\n".join),
        st.tuples(EXPRESSIONS, block, EXPRESSIONS, block, block).map(
            lambda t: f"if {t[0]}:\n{t[1]}\nelif {t[2]}:\n{t[3]}\nelse:\n{t[4]}"
        ),
        st.tuples(block, NAMES, NAMES, block, block).map(
            lambda t: f"try:\n{t[0]}\nexcept {t[1]} as {t[2]}:\n{t[3]}\nfinally:\n{t[4]}"
        ),
        st.tuples(EXPRESSIONS, NAMES, EXPRESSIONS, block, block).map(
            lambda t: f"match {t[0]}:\n    case [{t[1]}] if {t[2]}:\n{_indented([t[3]])}\n    case _:\n{_indented([t[4]])}"
        ),
        st.tuples(NAMES, block, EXPRESSIONS).map(lambda t: f"def {t[0]}(self):\n{t[1]}\n    return {t[2]}"),
    )


def _parses(source: str) -> bool:
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True


PROGRAMS = st.lists(st.recursive(_SIMPLE, _blocks, max_leaves=8), min_size=1, max_size=5).map("\n".join).filter(_parses)
