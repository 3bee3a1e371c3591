"""With which versions of a framework must the code of a file run? As the user declares, or as the project itself says."""

from __future__ import annotations

from trainlint.config.declared import declared
from trainlint.config.target import Target
from trainlint.facts.program import Program


class Targeted:
    """The ranges of versions that are asked for; none where nobody says anything."""

    def __init__(self, framework: str, ranges: tuple[Target, ...], assumed: str | None) -> None:
        self.framework = framework
        self.ranges = ranges
        self.assumed = assumed

    def older_than(self, version: str) -> bool:
        """Whether somebody asks that versions below this one will do. Where nobody speaks of versions, nobody does."""
        return any(target.may_be_below(self.framework, version) for target in self.ranges)

    def reaches(self, version: str) -> bool:
        """Whether this version, or a newer one, may be there."""
        if not self.ranges:
            return self.assumed is None or not is_newer(version, self.assumed)
        return any(target.may_be_at_least(self.framework, version) for target in self.ranges)

    def needs(self, version: str) -> bool:
        """Whether no version below this one is asked for; where nobody speaks of versions, it is not newer than the assumed."""
        return self.reaches(version) and not self.older_than(version)


def is_newer(version: str, other: str) -> bool:
    """Whether one version (plain numbers) comes after another."""
    return tuple(map(int, version.split("."))) > tuple(map(int, other.split(".")))


def targeted(program: Program, path: str, framework: str) -> Targeted:
    """What the file at ``path`` must run with: the configuration wins over what the project's requirements say."""
    if program.target.declared(framework):
        return Targeted(framework, (program.target,), program.knowledge.assumed_versions.get(framework))
    return program.ask_of(_declared, (path.rpartition("/")[0], framework))


def _declared(program: Program, about: tuple[str, str]) -> Targeted:
    """What the project's requirements say to the files of a folder of a framework."""
    folder, framework = about
    specifiers = declared(framework, folder, program.finder.top) if program.finder.top else ()
    ranges = tuple(Target({framework: each}) for each in specifiers)
    return Targeted(framework, ranges, program.knowledge.assumed_versions.get(framework))
