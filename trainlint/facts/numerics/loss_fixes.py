"""How a loss that is given the wrong thing is given the right one, as a change of the source."""

from __future__ import annotations

from trainlint.facts import naming
from trainlint.facts.numerics.last_operation import GIVEN, Heads
from trainlint.facts.numerics.loss_inputs import Fed
from trainlint.facts.program import Program
from trainlint.facts.values import Library
from trainlint.finding import Applicability
from trainlint.ir.nodes import Call
from trainlint.ir.printer import lasting
from trainlint.sites.changes import Change, Replace, Rewrite, SetKeyword

Path = tuple[tuple[str, int | str], ...]


def applied_to(program: Program, fed: Fed) -> Path:
    """The way from a call of a function to what it is applied to."""
    call = fed.head.call
    if program.ask(Heads).method(call, fed.head.frame) is not None:
        return (("receiver", 0),)
    return (("argument", 0),) if call.args else (("keyword", GIVEN),)


def left_out(program: Program, fed: Fed, message: str) -> Change | None:
    """The function is left out, for the loss alone where that can be written; a layer becomes one that does nothing."""
    head, module = fed.head, program.modules[fed.head.frame.module]
    if head.layer:
        nothing = naming.reference(program.knowledge.written["identity"], module)
        return Replace(Applicability.UNSAFE, message, spot=head.call.site, code=f"{nothing}()") if nothing is not None else None
    name = given_to_loss(fed)
    if name is not None and fed.loss.site.call.term.args:
        return SetKeyword(Applicability.UNSAFE, message, call=fed.loss.site.call.term.site, keyword=GIVEN, value=name, position=0)
    return Rewrite(Applicability.UNSAFE, message, spot=head.call.site, code="{0}", paths=(applied_to(program, fed),))


def given_to_loss(fed: Fed) -> str | None:
    """The name, in the function of the loss, of what the function was applied to; where the loss is given its result as it is."""
    head = fed.head
    if not fed.here or fed.within or fed.loss.given is not head.call or head.given is None:
        return None
    return lasting(head.given, fed.loss.site.function)


def in_logarithms(program: Program, fed: Fed, message: str) -> Change | None:
    """The function, or the class of the layer, is replaced by the one of its logarithm (table ``numerics.logarithms``)."""
    instead = program.knowledge.logarithms
    head, module = fed.head, program.modules[fed.head.frame.module]
    method = program.ask(Heads).method(head.call, head.frame)
    if method is not None and not head.layer:
        other = instead.get(method, "").rpartition(".")[2]
        paths: tuple[Path, ...] = ((("receiver", 0),), (("arguments", 0),))
        return (
            Rewrite(Applicability.UNSAFE, message, spot=head.call.site, code=f"{{0}}.{other}({{1}})", paths=paths)
            if other
            else None
        )
    named = [value.name for value in program.values(head.call.callee, head.frame) if isinstance(value, Library)]
    known = naming.reference(instead[named[0]], module) if len(named) == 1 and named[0] in instead else None
    if known is None:
        return None
    return Rewrite(Applicability.UNSAFE, message, spot=head.call.site, code=f"{known}({{0}})", paths=((("arguments", 0),),))


def applied_by_loss(program: Program, fed: Fed, message: str) -> Change | None:
    """The loss is replaced by one that applies the function itself (table ``numerics.with_logits``); only where both stand."""
    call: Call = fed.loss.site.call.term
    other = naming.reference(program.knowledge.with_logits.get(fed.loss.name, ""), program.modules[fed.loss.frame.module])
    if other is None or not fed.here or fed.loss.given is not fed.head.call or fed.loss.made is not None or not call.args:
        return None
    if fed.within:
        paths: tuple[Path, ...] = ((("argument", 0), *applied_to(program, fed)), (("arguments", 1),))
        return Rewrite(Applicability.SAFE, message, spot=call.site, code=f"{other}({{0}}{{,1}})", paths=paths)
    name = given_to_loss(fed)
    if name is None:
        return None
    return Rewrite(Applicability.SAFE, message, spot=call.site, code=f"{other}({name}{{,0}})", paths=((("arguments", 1),),))
