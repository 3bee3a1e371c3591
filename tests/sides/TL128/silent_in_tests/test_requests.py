import torch
import torch.distributed as dist


def test_request_is_under_way():
    flat = torch.ones(3)
    request = dist.all_reduce(flat, async_op=True)
    assert flat.sum() >= 3
    request.wait()
