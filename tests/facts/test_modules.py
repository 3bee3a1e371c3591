"""Finding modules: by the names of links to them, too."""

from __future__ import annotations

import sys

import pytest

from trainlint.program.imports import ModuleFinder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the paths here are those of POSIX")


def test_a_link_leads_to_its_file() -> None:
    files = {"/p/one/train.py", "/p/two/data.py", "/p/two/pack/__init__.py"}
    links = {"/p/one/loaded.py": "/p/two/data.py", "/p/one/pack/__init__.py": "/p/two/pack/__init__.py"}
    finder = ModuleFinder(files, ["/p"], links=links)
    assert finder.find("/p/one/train.py", "loaded") == "/p/two/data.py"
    assert finder.find("/p/one/train.py", "pack") == "/p/two/pack/__init__.py"
    assert ModuleFinder(files, ["/p"]).find("/p/one/train.py", "loaded") is None


def test_a_file_of_the_name_comes_first_and_a_link_to_no_known_file_counts_for_nothing() -> None:
    files = {"/p/train.py", "/p/data.py", "/p/other.py"}
    finder = ModuleFinder(files, ["/p"], links={"/p/data.py": "/p/other.py", "/p/out.py": "/elsewhere/out.py"})
    assert finder.find("/p/train.py", "data") == "/p/data.py"
    assert finder.find("/p/train.py", "out") is None


def test_a_folder_with_the_name_of_a_library_is_not_meant_by_what_lies_in_the_package_around_it() -> None:
    files = {"/p/pack/__init__.py", "/p/pack/net.py", "/p/pack/torch/__init__.py", "/p/pack/torch/losses.py", "/p/torch/act.py"}
    files |= {"/p/lib/torch/__init__.py", "/p/lib/torch/act.py", "/p/lib/run.py"}
    finder = ModuleFinder(files, ["/p"], libraries=["torch"])
    assert finder.find("/p/pack/torch/losses.py", "torch") is None
    assert finder.find("/p/pack/net.py", "torch") is None
    assert finder.find("/p/lib/torch/act.py", "torch") is None
    assert finder.find("/p/lib/run.py", "torch") == "/p/lib/torch/__init__.py"
    assert finder.find("/p/pack/net.py", "pack.torch") == "/p/pack/torch/__init__.py"
    assert finder.find("/p/torch/act.py", "torch.act") == "/p/torch/act.py"
    assert ModuleFinder(files, ["/p"]).find("/p/pack/net.py", "torch") == "/p/pack/torch/__init__.py"
