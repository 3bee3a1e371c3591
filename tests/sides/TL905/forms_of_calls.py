import torch
import torch as T
from torch import nn, qr
from torch import chain_matmul as product


def products(a, b, c, buffer, matrices):
    ab = torch.chain_matmul(a, b)  # expect: TL905
    abc = torch.chain_matmul(a, b, c, out=buffer)  # expect: TL905
    alone = torch.chain_matmul(a)  # expect: TL905
    spread = torch.chain_matmul(*matrices)  # expect: TL905
    renamed = product(a, b)  # expect: TL905
    new = torch.linalg.multi_dot([a, b])
    return ab, abc, alone, spread, renamed, new


def decompositions(a, upper, options):
    lower = torch.cholesky(a)  # expect: TL905
    above = torch.cholesky(a, upper=True)  # expect: TL905
    below = torch.cholesky(a, False)  # expect: TL905
    either = torch.cholesky(a, upper=upper)  # expect: TL905
    number = torch.cholesky(a, 1)  # expect: TL905
    into = torch.cholesky(a, out=lower)  # expect: TL905
    named = torch.cholesky(input=a)  # expect: TL905
    reduced = torch.qr(a)  # expect: TL905
    complete = torch.qr(a, some=False)  # expect: TL905
    some = torch.qr(a, True)  # expect: TL905
    chosen = qr(a, some=options.some)  # expect: TL905
    return lower, above, below, either, number, into, named, reduced, complete, some, chosen


def decomposed_later(batches):
    return [torch.cholesky(each).mT for each in batches]  # expect: TL905


def ranges(start, size, step):
    ten = torch.range(1, 10)  # expect: TL905
    zero = torch.range(10)  # expect: TL905
    even = torch.range(0, 10, 2)  # expect: TL905
    down = torch.range(10, 0, -2)  # expect: TL905
    never = torch.range(10, 0, 2)  # expect: TL905
    standing = torch.range(0, 10, 0)  # expect: TL905
    halves = torch.range(0, 1, 0.5)  # expect: TL905
    part = torch.range(0.5, 3)  # expect: TL905
    sized = torch.range(0, size)  # expect: TL905
    less = torch.range(0, size - 1)  # expect: TL905
    begun = torch.range(start, 10)  # expect: TL905
    stepped = torch.range(0, 10, step)  # expect: TL905
    named = torch.range(start=0, end=10)  # expect: TL905
    whole = torch.range(1, 10, dtype=torch.long)  # expect: TL905
    aliased = T.range(1, 10)  # expect: TL905
    aliased_whole = T.range(1, 10, dtype=T.long)  # expect: TL905
    four = torch.range(0, 10, 1, None)  # expect: TL905
    new = torch.arange(1, 11)
    return [ten, zero, even, down, never, standing, halves, part, sized, less, begun, stepped, named, whole, aliased,
            aliased_whole, four, new]


def criteria(mean, options):
    return [
        nn.MSELoss(size_average=True),  # expect: TL905
        nn.MSELoss(size_average=False),  # expect: TL905
        nn.MSELoss(size_average=mean),  # expect: TL905
        nn.MSELoss(size_average=1),  # expect: TL905
        nn.MSELoss(size_average=False, reduce=False),  # expect: TL905
        nn.MSELoss(size_average=True, reduction="sum"),  # expect: TL905
        nn.MSELoss(size_average=True, **options),  # expect: TL905
        nn.MSELoss(reduction="sum"),
        nn.MSELoss(**options),
    ]


def grids(x, y, options):
    rows, columns = torch.meshgrid(x, y)  # expect: TL905
    told = torch.meshgrid(x, y, indexing="ij")
    spread = torch.meshgrid(x, y, **options)
    later = map(torch.meshgrid, x, y)
    return rows, columns, told, spread, later
