"""What the model says of the names of files that a program writes."""

from __future__ import annotations

import ast

import pytest

from trainlint.domains.checkpoints.file_names import Names, base_of, is_fixed, is_numbered
from trainlint.ir.lower import lower
from trainlint.knowledge import load_knowledge
from trainlint.program.call_graph import CallGraph
from trainlint.program.imports import ModuleFinder
from trainlint.program.program import Program

PATH = "/project/file.py"
SOURCE = """
import os
from pathlib import Path

LAST = "last.pt"
FORM = "epoch-{:04d}.pt"
step = 0
old_step = 7

def train(args, folder, epochs, thing):
    global step
    for epoch in range(epochs):
        step += 1
        written({path})

def written(path, name="state.pt"):
    use(os.path.join(path, name))
"""

CASES = {
    "'last.pt'": "last.pt",
    "LAST": "last.pt",
    "os.path.join(args.out, 'last.pt')": "<out>/last.pt",
    "Path(folder) / 'last.pt'": "<folder>/last.pt",
    "f'{folder}/last.pt'": "<folder>/last.pt",
    "f'epoch-{epoch}.pt'": "epoch-#.pt",
    "FORM.format(epoch)": "epoch-0#.pt",
    "f'step-{step}.pt'": "step-#.pt",
    "f'step-{old_step}.pt'": "step-7.pt",
    "f'epoch-{epoch:04d}.pt'": "epoch-0#.pt",
    "f'epoch-{epoch:>4}.pt'": "epoch-0#.pt",
    "'epoch-%d.pt' % epoch": "epoch-#.pt",
    "'%s/epoch-%03d.pt' % (folder, epoch + 1)": "<folder>/epoch-0#.pt",
    "'epoch-{}.pt'.format(epoch)": "epoch-#.pt",
    "'epoch-{0:05}.pt'.format(epoch)": "epoch-0#.pt",
    "'{d}/{n}.pt'.format(d=folder, n=epoch)": "<folder>/#.pt",
    "'epoch-' + str(epoch) + '.pt'": "epoch-#.pt",
    "'epoch-' + str(epoch).zfill(3) + '.pt'": "epoch-0#.pt",
    "thing.path()": "?",
    "f'{epoch:.2f}.pt'": "?.pt",
}


def shapes(path: str, callee: str, argument: int) -> list[tuple[str, bool, bool]]:
    """What the first argument of a call is called, and whether it is fixed or numbered."""
    module = lower(PATH, ast.parse(SOURCE.replace("{path}", path)), frozenset())
    program = Program({PATH: module}, ModuleFinder({PATH}, ["/project"]), load_knowledge())
    site = program.ask(CallGraph).sites[callee][0]
    found = program.ask(Names).shapes(site.call.term.args[argument], program.frame(PATH, site.function))
    signs = {"setting": "<{}>", "unknown": "?", "number": "#"}
    said = []
    for shape in found:
        texts = [
            part.text if part.kind == "text" else ("0" if part.padded else "") + signs[part.kind].format(part.text)
            for part in shape
        ]
        said.append(("".join(texts), is_fixed(shape), is_numbered(shape)))
    return said


@pytest.mark.parametrize("path", CASES)
def test_names_are_texts_and_numbers(path: str) -> None:
    said = shapes(path, "written", 0)
    wanted = CASES[path]
    assert said == [(wanted, "?" not in wanted and "#" not in wanted, "#" in wanted)]


def test_what_a_caller_passes_is_followed_in_its_activation() -> None:
    module = lower(PATH, ast.parse(SOURCE.replace("{path}", "f'run-{epoch}'")), frozenset())
    program = Program({PATH: module}, ModuleFinder({PATH}, ["/project"]), load_knowledge())
    call = program.ask(CallGraph).sites["written"][0]
    target = program.ask(CallGraph).targets(call.call.term, program.frame(PATH, call.function))[0]
    frame = program.enter(target, call.call.term, program.frame(PATH, call.function))  # type: ignore[arg-type]
    site = program.ask(CallGraph).sites["use"][0]
    (shape,) = program.ask(Names).shapes(site.call.term.args[0], frame)
    assert "".join(part.text or "#" for part in shape) == "run-#/state.pt"
    assert "".join(part.text for part in base_of(shape)) == "state.pt"
    assert is_numbered(shape)
    assert not is_fixed(shape)
