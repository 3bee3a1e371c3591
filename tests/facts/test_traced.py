"""Which functions run in a trace: those whose names begin with ``traced``, and no others."""

from __future__ import annotations

import ast
import re
import textwrap

import pytest

from trainlint.domains.jax.binding_times import COMPILES
from trainlint.domains.traced.functions import Reached, reached
from trainlint.ir.lower import lower
from trainlint.knowledge import load_knowledge
from trainlint.program.imports import ModuleFinder
from trainlint.program.program import Program, calls_of
from trainlint.program.values import FunctionValue

OTHER = """
import jax

def traced_helper(x):
    return Part()(x)

class Part:
    def __call__(self, x):
        return traced_last(x)

def traced_last(x):
    return x

def plain(x):
    return x
"""

FORMS = {
    "decorators": """
        @jax.jit
        def traced_a(x):
            return x

        @partial(jax.jit, static_argnames=("n",))
        def traced_b(x, n):
            return other.traced_helper(x)

        @jax.jit(donate_argnums=0)
        def traced_c(x):
            return x
        """,
    "handed": """
        def traced_loss(x):
            return traced_part(x)

        def traced_part(x):
            return other.traced_helper(x)

        def loss(x):
            return x

        def main(batches):
            step = jax.jit(jax.value_and_grad(traced_loss))
            loss(1)
            return [step(batch) for batch in batches]
        """,
    "objects": """
        class Model:
            def traced_step(self, x):
                return jax.tree.map(lambda y: self.traced_one(y), x)

            def traced_one(self, x):
                jax.debug.callback(lambda y: self.report(y), x)
                return other.traced_helper(x)

            def report(self, x):
                print(x)

            def fit(self, x):
                compiled = partial(jax.jit, donate_argnums=0)(partial(self.traced_step))
                return compiled(x)
        """,
    "loops": """
        def main(x):
            def traced_body(carry, y):
                return other.traced_helper(carry), y

            return jax.jit(traced_outer)(x)

        def traced_outer(x):
            return jax.lax.fori_loop(0, 3, lambda i, y: other.traced_helper(y), x)
        """,
    "nothing": """
        def loss(x):
            return jax.grad(square)(x) + jax.eval_shape(square, x)

        def square(x):
            return other.plain(x)
        """,
}
#: What a form mentions and does not compile, or has no name to begin with.
APART = {"loops": {"traced_body"}}


def found_in(text: str) -> dict[str, Reached]:
    files = {"/project/file.py": "from functools import partial\nimport jax\nimport other\n" + text, "/project/other.py": OTHER}
    modules = {path: lower(path, ast.parse(text), frozenset()) for path, text in files.items()}
    program = Program(modules, ModuleFinder(set(modules), ["/project"]), load_knowledge())
    return {each.function.name: each for each in program.ask_of(reached, COMPILES).values()}


@pytest.mark.parametrize("form", FORMS)
def test_what_is_traced(form: str) -> None:
    found = {name for name in found_in(textwrap.dedent(FORMS[form])) if "lambda" not in name}
    mentioned = set(re.findall(r"traced_\w+", FORMS[form]))
    wanted = mentioned - APART.get(form, set())
    if "traced_helper" in wanted:
        wanted |= {"traced_last", "__call__"}
    assert found == wanted


def test_the_way_there_is_told() -> None:
    found = found_in("@jax.jit\ndef step(x):\n    return other.traced_helper(x)\n")
    assert [site.function.name for site in found["traced_last"].way()] == ["step", "traced_helper", "__call__"]
    assert found["step"].way() == []


@pytest.mark.parametrize(
    ("call", "lacks"),
    [
        ("f(1)", True),
        ("f(1, 2)", False),
        ("f(1, b=2)", False),
        ("f(*more)", False),
        ("f(1, **more)", False),
        ("f(b=2, c=3)", True),
    ],
)
def test_a_call_that_leaves_out_what_is_needed_runs_something_else(call: str, lacks: bool) -> None:
    text = f"def f(a, b, c=0):\n    return a\n\ndef g(more):\n    return {call}\n"
    modules = {"/project/file.py": lower("/project/file.py", ast.parse(text), frozenset())}
    program = Program(modules, ModuleFinder(set(modules), ["/project"]), load_knowledge())
    functions = modules["/project/file.py"].functions
    (node,) = calls_of(functions["g"])
    caller = program.frame("/project/file.py", functions["g"])
    entered = program.enter(FunctionValue("/project/file.py", functions["f"]), node.term, caller)
    assert entered.lacks() is lacks
