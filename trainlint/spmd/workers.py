"""Workers: rank 0 calls a function in its arm of a test, and the processes it has started come to the same one by themselves.

The main process starts the others, tells them what to do (``commands.put("start")``), and does the same itself. Who looks at its
arm alone sees a collective of rank 0; the others meet it in the function that was started.
"""

from __future__ import annotations

from trainlint.facts.call_graph import CallGraph
from trainlint.facts.program import Program, calls_of
from trainlint.facts.spawned import Spawned
from trainlint.facts.values import FunctionValue
from trainlint.spmd.divergence import Divergence


def workers_join(program: Program, divergence: Divergence) -> bool:
    """Whether what only some ranks call here is called by a function, too, that is started as a process."""
    started, index = program.ask(Spawned), program.ask(CallGraph)
    frame = divergence.guard.frame
    here = frame.function
    if any(started.is_started(each.function) for each in frame.active()):
        return False  # those that part are the processes themselves
    called = [node.term for node in calls_of(here) if node.term.site == divergence.call.spot]
    targets = [target for term in called for target in index.targets(term, frame)]
    targets += [enter.target for enter in divergence.entered]
    functions = (target.function for target in targets if isinstance(target, FunctionValue))
    callers = (site.function for function in functions for site in index.callers(function))
    return any(caller is not here and started.is_started(caller) for caller in callers)
