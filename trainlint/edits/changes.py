"""The vocabulary in which a rule describes its repair. Plain data: no libcst here, so rules stay light to import."""

from __future__ import annotations

from dataclasses import dataclass

from trainlint.finding import Applicability, Spot


@dataclass(frozen=True)
class Change:
    """What every change says: how safe it is and one line for the user (imperative, no final stop)."""

    applicability: Applicability
    message: str


@dataclass(frozen=True)
class RewriteText(Change):
    """In a file beside the Python: the text at each of the spots becomes another; they do not overlap."""

    edits: tuple[tuple[Spot, str], ...]


@dataclass(frozen=True)
class InsertFirst(Change):
    """Insert ``code`` (one or more lines, unindented) as the first statement of the body of the compound statement ``block``."""

    block: Spot
    code: str


@dataclass(frozen=True)
class InsertBefore(Change):
    """Insert ``code`` (lines, unindented) before the statement ``statement``, above its decorators and the comments above it.

    Where ``named`` is given, ``{0}`` in ``code`` stands for the first of its names that the assignment at its spot binds; refused
    where that binds none of them.
    """

    statement: Spot
    code: str
    named: tuple[Spot, tuple[str, ...]] | None = None


@dataclass(frozen=True)
class InsertAfter(Change):
    """Insert ``code`` (lines, unindented) after the statement ``statement``, at its indentation; ``named`` as above."""

    statement: Spot
    code: str
    named: tuple[Spot, tuple[str, ...]] | None = None


@dataclass(frozen=True)
class RemoveStatement(Change):
    """Remove the simple statement ``statement`` with its line; where it may be all that a block holds, ``pass`` takes its place.

    Refused where it shares its lines with other code or with a comment.
    """

    statement: Spot


@dataclass(frozen=True)
class Hoist(Change):
    """Move the simple statement ``statement`` out of the ``if`` statement ``guard`` so that it runs unconditionally.

    Possible when it is the last statement of a branch (it then follows the whole ``if``) or the first (it then precedes it);
    when the branch holds nothing else the branch goes too. Otherwise the change is refused (no repair is offered).
    """

    statement: Spot
    guard: Spot


@dataclass(frozen=True)
class HoistValue(Change):
    """Work out the call at ``call`` above the ``if`` statement ``guard`` and put a name in its place.

    The name is the first of ``names`` that the file does not have. ``statement`` is the simple statement around the call,
    which moves as a whole when the call is all it does. Refused where the call could see other values there.
    """

    call: Spot
    statement: Spot
    guard: Spot
    names: tuple[str, ...]


@dataclass(frozen=True)
class Wrap(Change):
    """Put ``statement`` (a call or a ``with``) under an ``if`` with the test that stands at ``test`` in the same file.

    Refused where the statement binds a name, shares its lines, or hands something out of the function.
    """

    statement: Spot
    test: Spot


@dataclass(frozen=True)
class StayFor(Change):
    """Let those who leave in the ``if`` statement ``guard`` run the simple statement ``statement`` of the same block first.

    Either the exit goes and an ``if`` stands around what only the others run, or the statement moves above ``guard``. The
    first needs ``falls``: that whoever comes to the end of the block is where the exit leads. ``waits`` says that the statement
    waits for what stands above it, so that it cannot move past that. Refused where the code is not that simple.
    """

    guard: Spot
    statement: Spot
    falls: bool
    waits: bool


@dataclass(frozen=True)
class AnswerTogether(Change):
    """Let all ranks decide alike to the test ``test`` of the ``if`` statement ``statement``: they gather what each would say.

    ``library`` is what ``torch.distributed`` is called there; ``word`` is ``any`` or ``all``. Refused for a test of several
    lines.
    """

    statement: Spot
    test: Spot
    library: str
    word: str


@dataclass(frozen=True)
class Move(Change):
    """Move the simple statement ``statement`` past others of its block: above ``target``, or ``behind`` it.

    ``target`` stands in the same block, or in a statement of it, past which all goes; ``inside`` says that it goes right behind
    the target, into that statement, which may then stand above, too: ``past`` is its spot. The target may also be the ``with``
    in which the statement is the last one. Refused where what is passed may leave the block, or where a name that one of them
    binds is used by the other; but the statement is to see the other values of the names ``anew``, and reads one of them. One
    that it binds anew itself is read by what it passes.
    """

    statement: Spot
    target: Spot
    behind: bool
    inside: bool = False
    past: Spot | None = None
    anew: tuple[str, ...] = ()


@dataclass(frozen=True)
class Surround(Change):
    """Put the compound statement ``statement`` into a block with the given ``header`` (``with model.join():``)."""

    statement: Spot
    header: str


@dataclass(frozen=True)
class SetKeyword(Change):
    """Set keyword argument ``keyword`` of the call at ``call`` to the source text ``value`` (added or replaced).

    ``position`` is where the parameter stands among the positional ones (None: it cannot be passed so): passed there, it is
    replaced there. With ``over_literals`` only what is written out is replaced, no name or computation: who chose that may
    have chosen otherwise elsewhere.
    """

    call: Spot
    keyword: str
    value: str
    position: int | None = None
    over_literals: bool = False


@dataclass(frozen=True)
class RemoveKeyword(Change):
    """Remove keyword argument ``keyword``, and those of ``also``, from the call at ``call``."""

    call: Spot
    keyword: str
    also: tuple[str, ...] = ()


@dataclass(frozen=True)
class AppendCall(Change):
    """Call a method on parts of the value of the assignment, or of the call, at ``whole``: ``x`` becomes ``x.detach()``.

    ``paths`` say which parts, step by step: ("argument", 0), ("keyword", "loss"), ("item", 0) of a display, ("value", 0) of
    a dict display, ("left", 0), ("right", 0) of an operator, ("then", 0), ("else", 0) of a conditional expression. Where an
    operator or conditional expression is not written out there, what stands in its place is the part; where an argument or
    a display is not, the change is refused. ``code`` follows the part, and a dot.
    """

    whole: Spot
    paths: tuple[tuple[tuple[str, int | str], ...], ...]
    code: str


@dataclass(frozen=True)
class Replace(Change):
    """Replace the expression at ``spot`` by the source text ``code`` (parenthesised where precedence asks for it)."""

    spot: Spot
    code: str


@dataclass(frozen=True)
class Rewrite(Change):
    """Put ``code`` in the place of the expression at ``spot`` (or of the value of the assignment there), made of parts of it.

    It is parenthesised as in ``Replace``.

    ``{0}`` in ``code`` stands for the text of the first part, ``{,1}`` for that of the second behind a comma, or for nothing when
    the part is empty. ``paths`` lead to the parts as in ``AppendCall``, with these steps more: ("receiver", 0) is what a method
    is called on, ("function", 0) what is called, ("arguments", n) all arguments from the n-th on (from 0), the last step of a
    path. With ``around`` the expression is the arithmetic operation of which the one at ``spot`` is an operand. Refused where a
    part is not written out there, or a comment would be lost.
    """

    spot: Spot
    code: str
    paths: tuple[tuple[tuple[str, int | str], ...], ...]
    around: bool = False


@dataclass(frozen=True)
class Renamed:
    """A call (or a decorator) of the library's thing ``old``, as the file's imports name it, that becomes one of ``new``.

    ``code`` and ``paths`` are those of a :class:`Rewrite` of the expression at ``spot``; ``@`` in ``code`` is the thing's name.
    ``same`` says that whatever else is done with the name may be done with the new one. Where ``binds`` is given, the place is
    the import that binds this name, and nothing else stands there.
    """

    spot: Spot
    old: str
    new: str
    code: str
    paths: tuple[tuple[tuple[str, int | str], ...], ...] = ()
    binds: str | None = None
    same: bool = False


@dataclass(frozen=True)
class Rename(Change):
    """Use the new name of a library's thing at ``place``, and import it by that name.

    Where the name there stands for something that an import binds, that import is changed, and with it all of ``others`` whose
    names it gives. ``imports`` are those of the file: what is bound, what that is, and the spot of the statement. ``library`` is
    what the library itself is called in the file (None: it is not imported). Refused where an imported name is used otherwise.
    """

    place: Renamed
    others: tuple[Renamed, ...]
    imports: tuple[tuple[str, str, Spot], ...]
    library: str | None


@dataclass(frozen=True)
class SwapKeyword(Change):
    """Put ``code``, another keyword argument (name and value), in the place of ``keyword`` in the call at ``call``."""

    call: Spot
    keyword: str
    code: str


@dataclass(frozen=True)
class Together(Change):
    """All ``changes`` as one: refused where one of them is, or where two concern the same text."""

    changes: tuple[Change, ...]
