"""What comes first behind a request: a use of its tensor, or something that waits."""

import torch
import torch.distributed as dist


def used(flat, size):
    request = dist.all_reduce(flat, async_op=True)  # expect: TL128
    mean = flat / size
    print(mean)
    request.wait()


def waited_for(flat, size):
    request = dist.all_reduce(flat, async_op=True)
    request.wait()
    print(flat / size)


def finished_at_once(flat, size):
    dist.all_reduce(flat, async_op=False)
    print(flat / size)


def as_it_is_by_default(flat, size):
    dist.all_reduce(flat)
    print(flat / size)


def as_somebody_wants(flat, size, later):
    dist.all_reduce(flat, async_op=later)
    print(flat / size)


def by_keyword(flat, size):
    dist.all_reduce(tensor=flat, async_op=True)  # expect: TL128
    print(flat / size)


def by_keyword_behind_another(flat, size):
    dist.all_reduce(op=dist.ReduceOp.SUM, tensor=flat, async_op=True)  # expect: TL128
    print(flat / size)


def of_settings(settings, size, flat):
    dist.all_reduce(async_op=True, **settings)
    print(flat / size)


def only_the_shape(flat):
    dist.all_reduce(flat, async_op=True)
    print(flat.shape)


def only_the_length(flat):
    dist.all_reduce(flat, async_op=True)
    print(len(flat), flat.numel(), flat.device)


def a_view(flat):
    dist.all_reduce(flat, async_op=True)
    print(flat.view(-1).shape)


def shape_and_number(flat):
    dist.all_reduce(flat, async_op=True)  # expect: TL128
    print(flat.shape, flat.sum())


def another_tensor(flat, other):
    dist.all_reduce(flat, async_op=True)
    print(other.sum())


def barrier(flat):
    dist.all_reduce(flat, async_op=True)
    dist.barrier()
    print(flat.sum())


def device_waits(flat):
    dist.all_reduce(flat, async_op=True)
    torch.cuda.synchronize()
    print(flat.sum())


def another_collective(flat, other):
    dist.all_reduce(flat, async_op=True)
    dist.all_reduce(other)
    print(flat.sum())


def another_request(flat, other):
    dist.all_reduce(flat, async_op=True)  # expect: TL128
    request = dist.all_reduce(other, async_op=True)
    print(flat.sum())
    request.wait()


def wait_for_everything(group):
    torch.cuda.current_stream().wait_stream(group.stream)


def waits_in_a_helper(flat, group):
    dist.all_reduce(flat, async_op=True)
    wait_for_everything(group)
    print(flat.sum())


def show(value):
    print(value)


def works_in_a_helper(flat, other):
    dist.all_reduce(flat, async_op=True)  # expect: TL128
    show(other)
    show(flat)


def wait_and_show(value, group):
    wait_for_everything(group)
    print(value)


def handed_to_what_waits(flat, group):
    dist.all_reduce(flat, async_op=True)
    wait_and_show(flat, group)


def under_a_stream(flat, stream):
    with torch.cuda.stream(stream):
        dist.all_reduce(flat, async_op=True)
    print(flat.sum())


def under_a_timer(flat, timer):
    with timer:
        dist.all_reduce(flat, async_op=True)  # expect: TL128
    print(flat.sum())


def behind_a_stream(flat, stream, other):
    with torch.cuda.stream(stream):
        other.mul_(2)
    dist.all_reduce(flat, async_op=True)  # expect: TL128
    print(flat.sum())


def before_a_with_that_waits(flat, group):
    dist.all_reduce(flat, async_op=True)
    with group.wait_all():
        print(flat.sum())


def before_a_with_that_times(flat, timer):
    dist.all_reduce(flat, async_op=True)  # expect: TL128
    with timer.phase("mean"):
        print(flat.sum())


def in_the_other_branch(flat, deferred):
    if deferred:
        dist.all_reduce(flat, async_op=True)
    else:
        print(flat.sum())


def in_the_same_branch(flat, deferred):
    if deferred:
        dist.all_reduce(flat, async_op=True)  # expect: TL128
        print(flat.sum())


def put_into_an_attribute(self, flat, size):
    dist.all_reduce(flat, async_op=True)  # expect: TL128
    self.mean = flat / size


def held_in_an_attribute(self, flat):
    dist.all_reduce(flat, async_op=True)
    self.flat = flat


def put_into_an_item(table, flat, size):
    dist.all_reduce(flat, async_op=True)  # expect: TL128
    table["mean"] = flat / size


def shape_put_into_an_item(table, flat):
    dist.all_reduce(flat, async_op=True)
    table["shape"] = flat.shape


def of_a_slice(flat):
    dist.all_reduce(flat[2:], async_op=True)  # expect: TL128
    print(flat.sum())


def of_an_item(flat):
    dist.all_reduce(flat[0], async_op=True)  # expect: TL128
    print(flat[0].sum())


def in_a_lambda(flats):
    return list(map(lambda flat: dist.all_reduce(flat, async_op=True), flats))
