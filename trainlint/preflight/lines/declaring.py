"""How a module says which lines it answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from trainlint.preflight.jobs import Job
from trainlint.preflight.line import Item, Line

Answer = Callable[[Job], Line]

#: Sections of the handbook.
CHECKLIST = 'best-practices, "Pre-Flight Checklist"'
VERSIONS = 'best-practices, "Version Compatibility Matrix"'
SAVING = 'best-practices, "Checkpointing Best Practices"'
METRICS = 'best-practices, "Monitoring During Training"'
TIPS = 'best-practices, "Framework-Specific Tips"'
MISTAKES = 'best-practices, "Common Mistakes Summary"'
LAUNCHING = 'distributed-training-practice, "Launch Methods"'
KEPT = 'distributed-training-practice, "Checkpointing"'
FAULTS = 'distributed-training-practice, "Fault Tolerance"'


@dataclass
class Lines:
    """The lines of a group, in their order."""

    group: str
    items: list[tuple[Item, Answer]] = field(default_factory=list)

    def __call__(self, name: str, title: str, source: str = CHECKLIST, codes: tuple[str, ...] = ()) -> Callable[[Answer], Answer]:
        """Declare the function that answers a line; findings of ``codes`` say that it is missing."""

        def declare(answer: Answer) -> Answer:
            self.items.append((Item(name, self.group, title, source, codes), answer))
            return answer

        return declare
