"""What names stand for where control branches, loops and leaves."""

from __future__ import annotations

from tests.ir.revealing import check


def test_branches_and_conditional_expressions() -> None:
    """The four-line form and the conditional expression give one text (and one term, see test_invariants.py)."""
    check(
        """
        def f(c, d):
            if c:
                x = 1
            else:
                x = 2
            reveal(x)  # reveals: (1 if c else 2)
            y = 1 if c else 2
            reveal(y)  # reveals: (1 if c else 2)
            if c:
                z = 1
            elif d:
                z = 2
            else:
                z = 3
            reveal(z)  # reveals: (1 if c else (2 if d else 3))
            z = 1 if c else 2 if d else 3
            reveal(z)  # reveals: (1 if c else (2 if d else 3))
            if c:
                w = 1
            reveal(w)  # reveals: 1
            w = 0
            if c:
                w = 1
            reveal(w)  # reveals: (1 if c else 0)
        """
    )


def test_early_exits() -> None:
    check(
        """
        def f(c):
            x = 1
            if c:
                x = 2
                return
            reveal(x)  # reveals: 1
            if not c:
                pass
            else:
                raise ValueError
            reveal(x)  # reveals: 1
        """
    )


def test_process_exit_ends_a_branch() -> None:
    check(
        """
        import sys
        def f(c):
            x = 1
            if c:
                x = 2
                sys.exit(1)
            reveal(x)  # reveals: 1
        """
    )


def test_loops() -> None:
    check(
        """
        def f(xs, c):
            n = 0
            kept = 1
            for i, (a, b) in enumerate(xs):
                reveal(n)  # reveals: <lv n 4 4 head>
                reveal(i, a)  # reveals: each(builtins.enumerate(xs))[0], each(builtins.enumerate(xs))[1][0]
                reveal(b)  # reveals: each(builtins.enumerate(xs))[1][1]
                n = n + 1
            reveal(n, kept)  # reveals: <lv n 4 4 exit>, 1
            while c:
                kept = 2
                reveal(kept)  # reveals: 2
            else:
                reveal(kept)  # reveals: <lv kept 10 4 exit>
            reveal(kept)  # reveals: <lv kept 10 4 exit>
        """
    )


def test_try() -> None:
    """An import that worked stands for itself; a handler doubts what the body assigns, but for what its last statement binds."""
    check(
        """
        try:
            import fast as impl
        except ImportError:
            impl = None
        reveal(impl)  # reveals: fast
        try:
            from a import b
        except ImportError:
            from c import b
        reveal(b)  # reveals: a.b
        def f():
            x = 1
            try:
                x = g()
            except ValueError as error:
                reveal(x, error)  # reveals: 1, <v 15 4>
                x = 2
            else:
                reveal(x)  # reveals: builtins.g()
            finally:
                pass
            reveal(x)  # reveals: (builtins.g() if <v 13 4> else 2)
        def h():
            x = 1
            try:
                x = g()
            except ValueError:
                return
            reveal(x)  # reveals: builtins.g()
        def k():
            x = 1
            try:
                x = g()
                print(x)
            except ValueError:
                reveal(x)  # reveals: <lv x 35 4 head>
        """
    )


def test_with_as() -> None:
    check(
        """
        from contextlib import suppress
        def f(path):
            with open(path) as file, file.lock() as (a, b):
                reveal(file)  # reveals: entered(builtins.open(path))
                reveal(a)  # reveals: entered(entered(builtins.open(path)).lock())[0]
                reveal(b)  # reveals: entered(entered(builtins.open(path)).lock())[1]
            with suppress(OSError):
                return 1
            reveal(path)  # reveals: path
        """
    )


def test_walrus() -> None:
    check(
        """
        def f(xs):
            if (n := len(xs)) > 3:
                reveal(n)  # reveals: builtins.len(xs)
            any((last := x) for x in xs)
            reveal(last)  # reveals: each(xs)
            m = None
            for x in xs:
                reveal(m)  # reveals: <lv m 7 4 head>
                if (m := x.m) is not None:
                    reveal(m)  # reveals: each(xs).m
        """
    )


def test_match() -> None:
    check(
        """
        def f(x):
            match x:
                case 1:
                    y = "one"
                case 2 | 3:
                    y = "few"
                case None:
                    y = "none"
                    return
                case [a, *b]:
                    y = "list"
                    reveal(a, b)  # reveals: x[0], <v 10 17>
                case {"k": v, **rest}:
                    reveal(v, rest)  # reveals: x['k'], <v 13 13>
                    return
                case int() as number:
                    reveal(number)  # reveals: x
                    return
                case other if other.big:
                    y = "big"
                    reveal(other)  # reveals: x
                    return
                case _:
                    y = "-"
            reveal(y)  # reveals: ('one' if (x Eq 1) else ('few' if ((x Eq 2) or (x Eq 3)) else ('list' if <v 10 13> else '-')))
        """
    )


def test_constant_conditions() -> None:
    check(
        """
        from typing import TYPE_CHECKING
        import typing
        if TYPE_CHECKING:
            from a import B
        else:
            B = None
        reveal(B)  # reveals: a.B
        if typing.TYPE_CHECKING:
            import z
        if __name__ == "__main__":
            args = 1
            reveal(args)  # reveals: 1
            raise SystemExit
        reveal(args)  # reveals: 1
        def f(): reveal(args, z)  # reveals: args, z
        """
    )


def test_rest_slices_and_what_grows() -> None:
    check(
        """
        def f(a, b, c):
            first, *rest = [a, b, c]
            reveal(first, rest[0], rest[1])  # reveals: a, b, c
            one, *others = (a, b)
            reveal(others[0])  # reveals: b
            *most, last = (a, b, c)
            reveal(most[1], last)  # reveals: b, c
            kept = [a, b, c]
            reveal(kept[1:][0], kept[:-1][1], kept[::2][1])  # reveals: b, b, c
            kept += [a]
            kept.insert(0, c)
            reveal(kept[0], kept[4])  # reveals: c, a
            named = {"x": a}
            named |= {"y": b}
            reveal(named["x"], named["y"])  # reveals: a, b
            other(kept)
            kept += [b]
            reveal(kept[0])  # reveals: (list(a, b, c) Add list(b))[0]
        """
    )


def test_parts_of_patterns() -> None:
    check(
        """
        def f(a, b):
            match {"x": a, "y": [b, a]}:
                case {"x": first, "y": [second, *_]}:
                    reveal(first, second)  # reveals: a, b
            match made():
                case Pair(left=left, right=[_, right]):
                    reveal(left, right)  # reveals: builtins.made().left, builtins.made().right[1]
        """
    )
