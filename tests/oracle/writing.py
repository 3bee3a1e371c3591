"""Writing Python: the files of a program, what they import, names nobody else has."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field

Lines = list[str]

#: Words for functions, variables and classes that say nothing about ranks.
_WORDS = """
alpha amber anchor apply arrow aspen atlas basin beacon birch bloom brook bundle canyon cedar chart cinder clover
cobalt comet copper coral crane crest delta drift ember fable falcon fern flint forge frost garnet glade grove harbor
hazel heron indigo iris ivory jade jasper juniper kelp kestrel lagoon larch lemon lilac linden lotus maple marble
meadow mist moss nectar north oasis olive onyx opal orbit orchid otter pearl pebble pine plume poplar prairie quartz
quill raven reed ridge river robin rowan saffron sage sierra slate spruce stone summit sunset tango thistle tide
timber topaz tulip umber valley velvet violet walnut willow winter wren yarrow zephyr zinc
"""


def indent(lines: Iterable[str]) -> Lines:
    """Lines one level deeper."""
    return [f"    {line}" if line else line for line in lines]


@dataclass
class Module:
    """One file: imports, then definitions, then what runs."""

    name: str
    imports: list[str] = field(default_factory=list)
    definitions: list[Lines] = field(default_factory=list)
    ending: Lines = field(default_factory=list)

    def need(self, statement: str) -> None:
        """Import this, once."""
        if statement not in self.imports:
            self.imports.append(statement)

    def text(self) -> str:
        parts = ["\n".join(sorted(self.imports)), *("\n".join(lines) for lines in self.definitions), "\n".join(self.ending)]
        return "\n\n\n".join(part for part in parts if part) + "\n"


class Project:
    """The files of one program: one to start and others that it imports from."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self._words = _WORDS.split()
        rng.shuffle(self._words)
        self._given = 0
        self.package = rng.choice(("", "", self.word()))
        self.modules = [Module("train")] + [Module(self.word()) for _ in range(rng.choice((0, 1, 1, 2, 2, 3)))]
        self.arguments: dict[str, str] = {}
        self._lent: dict[tuple[str, str], str] = {}

    def word(self) -> str:
        """A name that was not used before."""
        self._given += 1
        word = self._words[self._given % len(self._words)]
        rounds = self._given // len(self._words)
        return f"{word}{rounds}" if rounds else word

    def name(self, *kinds: str) -> str:
        """A new name for a function or variable, sometimes beginning with a verb."""
        prefix = self.rng.choice((*kinds, "")) if kinds else ""
        return f"{prefix}_{self.word()}" if prefix else self.word()

    def files(self) -> dict[str, str]:
        """Path to text; the file that is started comes last."""
        folder = f"{self.package}/" if self.package else ""
        written = {f"{folder}{module.name}.py": module.text() for module in reversed(self.modules)}
        return {f"{folder}__init__.py": "", **written} if folder else written

    @property
    def entry(self) -> str:
        return f"{self.package}/{self.modules[0].name}.py" if self.package else f"{self.modules[0].name}.py"

    def elsewhere(self, module: Module) -> Module:
        """A module that this one may import (those that follow it), or itself."""
        return self.rng.choice(self.modules[self.modules.index(module) :])

    def reference(self, module: Module, home: Module, name: str) -> str:
        """How a module spells what another one defines, once it has imported it."""
        if module is home:
            return name
        key = (module.name, f"{home.name}.{name}")
        if key not in self._lent:
            self._lent[key] = self._import(module, home, name)
        return self._lent[key]

    def _import(self, module: Module, home: Module, name: str) -> str:
        style = self.rng.choice(("name", "name", "alias", "module", "module", "as"))
        place = f"{self.package}.{home.name}" if self.package else home.name
        relative = bool(self.package) and self.rng.random() < 0.5
        if style in ("name", "alias"):
            alias = self.word() if style == "alias" else ""
            module.need(f"from {'.' + home.name if relative else place} import {name}{' as ' + alias if alias else ''}")
            return alias or name
        alias = self.word() if style == "as" else home.name
        suffix = f" as {alias}" if alias != home.name else ""
        if self.package:
            module.need(f"from {'.' if relative else self.package} import {home.name}{suffix}")
        else:
            module.need(f"import {home.name}{suffix}")
        return f"{alias}.{name}"
