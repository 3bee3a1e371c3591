"""What names stand for, through imports, scopes and assignments."""

from __future__ import annotations

from tests.ir.revealing import check, lowered
from trainlint.ir.nodes import MatMul
from trainlint.ir.printer import show
from trainlint.program.def_use import made_in


def test_imports() -> None:
    check(
        """
        import torch.distributed
        import torch.distributed as dist
        import numpy as np, os.path
        from torch import nn
        from torch.nn import functional as F, Linear as Lin
        from . import sibling
        from .sub import thing
        from .. import above
        reveal(torch.distributed.barrier)  # reveals: torch.distributed.barrier
        reveal(dist.all_reduce)  # reveals: torch.distributed.all_reduce
        reveal(np.mean, os.path.join)  # reveals: numpy.mean, os.path.join
        reveal(nn.Module, F.relu, Lin)  # reveals: torch.nn.Module, torch.nn.functional.relu, torch.nn.Linear
        reveal(sibling, thing, above)  # reveals: .sibling, .sub.thing, ..above
        def f():
            reveal(dist.barrier)  # reveals: torch.distributed.barrier
            import jax.numpy as jnp
            reveal(jnp.sum)  # reveals: jax.numpy.sum
        """
    )


def test_star_import() -> None:
    check(
        """
        from torch.distributed import *
        reveal(all_reduce, len)  # reveals: all_reduce, builtins.len
        def f():
            reveal(barrier, print)  # reveals: barrier, builtins.print
        """
    )


def test_simple_aliases() -> None:
    check(
        """
        import torch.distributed as dist
        reduce = dist.all_reduce
        again = reduce
        reveal(reduce, again)  # reveals: torch.distributed.all_reduce, torch.distributed.all_reduce
        def f():
            reveal(reduce)  # reveals: torch.distributed.all_reduce
            local = dist.barrier
            reveal(local)  # reveals: torch.distributed.barrier
        """
    )


def test_classes_and_self() -> None:
    """A class body sees the file so far, its methods the finished file; a call may change its receiver's attributes."""
    check(
        """
        import torch
        limit = 3
        class A(torch.nn.Module):
            size = 4
            reveal(size, limit)  # reveals: 4, 3
            double = size * 2
            reveal(double)  # reveals: (4 Mult 2)
            def m(self, x):
                self.size = x
                reveal(self.size, self.other, A.size)  # reveals: x, self.other, A.size
                self.reset()
                reveal(self.size)  # reveals: self.size
                return limit
            def n(self):
                reveal(self.size, limit, size)  # reveals: self.size, limit, builtins.size
            @staticmethod
            def s(x): reveal(x)  # reveals: x
            @classmethod
            def c(cls, x): reveal(cls, x)  # reveals: self, x
            @property
            def p(self): reveal(self.size)  # reveals: self.size
        if limit:
            limit = 5
        """
    )


def test_augmented_assignment() -> None:
    check(
        """
        def f(x):
            x += 1
            x *= 2
            reveal(x)  # reveals: ((x Add 1) Mult 2)
            x.n += 1
            reveal(x.n)  # reveals: (((x Add 1) Mult 2).n += 1)
            x = 1
            x -= 1.5
            reveal(x)  # reveals: (1 Sub 1.5)
        """
    )


def test_unpacking() -> None:
    check(
        """
        def f(p):
            a, b = 1, 2
            a, b = b, a
            reveal(a, b)  # reveals: 2, 1
            (c, d), e = p
            reveal(c, d, e)  # reveals: p[0][0], p[0][1], p[1]
            first, *rest, last = p
            reveal(first, rest, last)  # reveals: p[0], <v 7 11>, p[-1]
            s = t = p
            reveal(s, t)  # reveals: p, p
        """
    )


def test_global() -> None:
    check(
        """
        count = 0
        def f():
            global count
            reveal(count)  # reveals: count
            count = count + 1
            reveal(count)  # reveals: (count Add 1)
        def g():
            reveal(count)  # reveals: count
        global count
        reveal(count)  # reveals: 0
        """
    )


def test_global_in_methods() -> None:
    check(
        """
        count = 0
        class A:
            @staticmethod
            def f():
                global count
                count = count + 1
                reveal(count)  # reveals: (count Add 1)
            @property
            def p(self):
                global count
                reveal(count)  # reveals: count
            @classmethod
            def c(cls):
                global count
                count = 2
                reveal(count)  # reveals: 2
        """
    )


def test_nonlocal() -> None:
    """A flag that an inner function sets is not the constant it began with."""
    check(
        """
        def f():
            done = False
            stable = 1
            reveal(done)  # reveals: False
            def inner():
                nonlocal done
                reveal(done, stable)  # reveals: <lv done 6 8 head>, 1
                done = True
                reveal(done)  # reveals: True
            reveal(done)  # reveals: <lv done 6 8 head>
            done = False
            reveal(done)  # reveals: <lv done 11 4 head>
        """
    )


def test_closures_and_lambdas() -> None:
    """A nested function sees what is bound after it; what is bound again after it is unsettled."""
    check(
        """
        def f(n):
            early = 1
            moved = 1
            def g(k=n):
                reveal(n, early, late, k)  # reveals: n, 1, 2, k
                reveal(moved)  # reveals: <lv moved 4 4 head>
                return lambda z: reveal(z, early, k)  # reveals: z, 1, k
            late = 2
            if n:
                moved = 2
            reveal(g)  # reveals: <fn f.g>
            fun = lambda q, r=n: reveal(q, r)  # reveals: q, r
            reveal(fun)  # reveals: <fn f.<lambda 12:10>>
            class Local:
                def m(self):
                    reveal(self, early)  # reveals: self, 1
            reveal(Local)  # reveals: <cls f.Local>
        """
    )


def test_decorators() -> None:
    check(
        """
        import functools
        def deco(fn): return fn
        @deco
        @functools.lru_cache(maxsize=None)
        def f(): pass
        reveal(f, deco)  # reveals: f, deco
        """
    )


def test_comprehension_scopes() -> None:
    check(
        """
        def f(x):
            ys = [x for x in x.items if reveal(x)]  # reveals: each(x.items)
            reveal(x)  # reveals: x
            ys = {reveal(a): b for a, b in x}  # reveals: each(x)[0]
            ys = [reveal(p) for q in x for p in q]  # reveals: each(each(x))
            reveal(ys)  # reveals: <collected 5 9 list>
        """
    )


def test_annotations_parameters_and_operators() -> None:
    check(
        """
        x: int = 3
        y: str
        reveal(x, y)  # reveals: 3, y
        def f(a, *args, b=1, **kwargs):
            reveal(a, b)  # reveals: a, b
            reveal(args)  # reveals: <v 4 10>
            reveal(kwargs)  # reveals: kwargs
            for k in a:
                break
            reveal(k)  # reveals: each(a)
            del a
            reveal(-3, not b, b < 2)  # reveals: -3, not b, (b Lt 2)
            reveal(1 < b < 3, b + 1, b / 2, b @ a)  # reveals: ((1 Lt b) and (b Lt 3)), (b Add 1), (b Div 2), (b @ builtins.a)
            reveal([b, 1], {b}, {"k": b})  # reveals: list(b, 1), set(b), {'k': b}
            reveal(b[0], b[1:], f"{b}", ...)  # reveals: b[0], b[<v 15 19>], text(b), <v 15 32>
            reveal(b and 1 or 2)  # reveals: ((b and 1) or 2)
            (yield b)
            reveal((yield))  # reveals: <v 18 12>
        """
    )


def test_what_a_product_multiplies() -> None:
    function = lowered(
        "def f(q, k, v, w, mask):\n    a = q @ k.mT\n    b = a.softmax(-1) @ v\n    c = q @ k @ w\n    return b, c\n"
    ).functions["f"]
    written = [tuple(map(show, product.factors)) for product in made_in(function, MatMul)]
    # The two products of `q @ k @ w` begin at one place: they are one.
    assert written == [("q", "k", "w"), ("(q @ k.mT).softmax(-1)", "v"), ("q", "k.mT")]
