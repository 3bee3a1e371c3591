"""Functions that are gone or deprecated."""

import torch
from torch import ger, lstsq
from torch.testing import assert_allclose
from torch.utils._pytree import _register_pytree_node


def removed(a, b):
    x, _ = torch.solve(b, a)
    values, _ = torch.symeig(a)
    rank = torch.matrix_rank(a)
    return x, values, rank, lstsq(b, a)


def deprecated(a, b, n):
    q, r = torch.qr(a)
    whole = torch.qr(a, some=False)
    product = torch.chain_matmul(a, b, a)
    kept = torch.chain_matmul(a, b, out=product)
    lower = torch.cholesky(a)
    upper = torch.cholesky(a, upper=True)
    table = torch.ger(a, b)
    other = ger(a, b)
    return q, r, whole, product, kept, lower, upper, table, other


def numbers(n):
    first = torch.range(1, 10)
    second = torch.range(0, n)
    third = torch.range(0, n - 1)
    fourth = torch.range(10, 0, -2)
    return first, second, third, fourth


def by_hand(a, b):
    lu, pivots = torch.lu(a)
    solved = torch.lu_solve(b, lu, pivots)
    norm = torch.norm(a)
    u, s, v = torch.svd(a)
    triangle = torch.triangular_solve(b, a)
    assert_allclose(a, b)
    return solved, norm, u, s, v, triangle


def modules(linear):
    up = torch.nn.UpsamplingNearest2d(2)
    sharp = torch.nn.UpsamplingBilinear2d(2)
    normed = torch.nn.utils.weight_norm(linear)
    _register_pytree_node(tuple, None, None)
    with torch.backends.cuda.sdp_kernel():
        return up, sharp, normed
