"""What is used: a gradient by an optimizer, a slice, a tensor of a caller; what a ``with`` and other requests do."""

import torch
import torch.distributed as dist

SIDE = torch.cuda.Stream()


def gradient_is_read_by_the_optimizer(weight, optimizer):
    dist.all_reduce(weight.grad, async_op=True)  # expect: TL128
    optimizer.step()


def gradient_is_waited_for(weight, optimizer):
    request = dist.all_reduce(weight.grad, async_op=True)
    request.wait()
    optimizer.step()


def gradient_and_another_step(weight, profiler):
    dist.all_reduce(weight.grad, async_op=True)
    profiler.step()


def a_mean_and_the_optimizer(loss, optimizer):
    dist.all_reduce(loss, async_op=True)
    optimizer.step()


def a_slice(flat):
    dist.all_reduce(flat[:8], async_op=True)  # expect: TL128
    return flat.sum()


def its_data(flat):
    dist.all_reduce(flat.data, async_op=True)  # expect: TL128
    return flat.sum()


def its_shape(flat):
    dist.all_reduce(flat, async_op=True)
    print(flat.shape, flat.numel())


def another_request(flat):
    dist.all_reduce(flat, async_op=True)
    dist.broadcast(flat, src=0, async_op=True)


def another_name_for_it(flat):
    dist.all_reduce(flat, async_op=True)
    kept = flat
    del kept


def a_value_of_it(flat, config):
    dist.all_reduce(flat, async_op=True)  # expect: TL128
    config.mean = flat / 2


def it_is_kept(flat, config):
    dist.all_reduce(flat, async_op=True)
    config.total = flat


def in_a_stream(flat):
    with torch.cuda.stream(SIDE):
        dist.all_reduce(flat, async_op=True)
    return flat.sum()


def under_autocast(flat):
    with torch.autocast("cuda"):
        dist.all_reduce(flat, async_op=True)  # expect: TL128
    return flat.sum()


def waits_in_a_with(flat, timer):
    dist.all_reduce(flat, async_op=True)
    with timer.synchronize():
        print("waited")
    return flat.sum()


def a_plain_with(flat, timer):
    dist.all_reduce(flat, async_op=True)  # expect: TL128
    with timer.measure("sum"):
        return flat.sum()


def begin(flat):
    dist.all_reduce(flat, async_op=True)  # expect: TL128


def used_by_the_caller(flat):
    begin(flat)
    return flat.sum()


def begin_and_leave(flat):
    dist.all_reduce(flat, async_op=True)


def waited_for_by_the_caller(flat):
    begin_and_leave(flat)
    torch.cuda.synchronize()
    return flat.sum()


def begin_for_two(flat):
    dist.all_reduce(flat, async_op=True)


def one_waits(flat):
    begin_for_two(flat)
    torch.cuda.synchronize()
    return flat.sum()


def another_does_not_use_it(flat, other):
    begin_for_two(flat)
    return other.sum()


def sent_and_changed(flat):
    dist.isend(flat, dst=1)  # expect: TL128
    flat.zero_()


def sent_and_an_item_changed(flat):
    dist.isend(flat, dst=1)  # expect: TL128
    flat[0] = 1.0


def sent_and_read(flat):
    dist.isend(flat, dst=1)
    return flat.sum()


def sent_and_another_changed(flat, other):
    dist.isend(flat, dst=1)
    other.zero_()
    other[0] = 1.0


def sent_and_looked_up(flat, names):
    dist.isend(flat, dst=1)
    names["flat"] = 1.0
    flat.__len__()


def in_a_list(flat, requests):
    requests = []
    requests.append(dist.all_reduce(flat, async_op=True))
    for each in requests:
        each.wait()
    return flat.sum()


def helper_waits(flat):
    request = dist.all_reduce(flat, async_op=True)
    finish(request)
    return flat.sum()


def finish(request):
    request.wait()


def a_barrier_of_a_helper(flat):
    dist.all_reduce(flat, async_op=True)
    meet()
    return flat.sum()


def meet():
    dist.barrier()
