"""Requests of other functions, and lists of them."""

import multiprocessing

import torch
import torch.distributed as dist


def received(border, rank):
    dist.irecv(border, src=rank)  # expect: TL128
    return border + 1


def received_and_waited(border, rank):
    dist.irecv(border, src=rank).wait()
    return border + 1


def sent_and_read(border, rank):
    dist.isend(border, dst=rank)
    print(border + 1)


def sent_and_changed(border, rank):
    dist.isend(border, dst=rank)  # expect: TL128
    border.add_(1)


def sent_and_made_anew(border, rank):
    dist.isend(border, dst=rank)
    print(border.add(1))


def sent_and_an_item_changed(border, rank):
    dist.isend(border, dst=rank)  # expect: TL128
    border[0] = 0


def sent_and_another_changed(border, other, rank):
    dist.isend(border, dst=rank)
    other[0] = 0
    other.add_(1)


def sent_and_marked(border, rank):
    dist.isend(border, dst=rank)
    border.__dict__["sent"] = True


def of_a_queue(connection, border):
    connection.isend(border)
    border.zero_()


def of_another_library(border):
    left, right = multiprocessing.Pipe()
    left.send(border)
    border.zero_()
    return right


def gathered(part, world):
    parts = [torch.empty_like(part) for _ in range(world)]
    dist.all_gather(parts, part, async_op=True)  # expect: TL128
    return torch.cat(parts)


def gathered_into_a_display(part, left, right):
    dist.all_gather([left, right], part, async_op=True)  # expect: TL128
    return left + right


def gathered_from_what_may_be_read(part, world):
    parts = [torch.empty_like(part) for _ in range(world)]
    request = dist.all_gather(parts, part, async_op=True)
    print(part.sum())
    request.wait()
    return torch.cat(parts)


def gathered_on_one(part, parts):
    dist.gather(part, parts, async_op=True)  # expect: TL128
    return torch.cat(parts)


def gathered_by_keyword(part, parts):
    dist.gather(part, gather_list=parts, async_op=True)  # expect: TL128
    return torch.cat(parts)


def not_gathered_here(part):
    request = dist.gather(part, async_op=True)
    print(part.sum())
    request.wait()


def listed(first, second):
    requests = []
    requests.append(dist.all_reduce(first, async_op=True))
    requests.append(dist.all_reduce(second, async_op=True))
    for request in requests:
        request.wait()
    return first + second


def listed_and_forgotten(first, second):
    requests = []
    requests.append(dist.all_reduce(first, async_op=True))  # expect: TL128
    requests.append(dist.all_reduce(second, async_op=True))  # expect: TL128
    return first + second


def listed_by_the_caller(first, requests):
    requests.append(dist.all_reduce(first, async_op=True))
    return first + 1


def kept_by_a_loop(chunks):
    last = None
    for chunk in chunks:
        if last is not None:
            last.wait()
        last = dist.all_reduce(chunk, async_op=True)
    return last


def reduced_gradients(model, optimizer):
    for each in model.parameters():
        dist.all_reduce(each.grad, async_op=True)  # expect: TL128
    optimizer.step()


def reduced_parameters(model, scheduler):
    for each in model.parameters():
        dist.all_reduce(each.data, async_op=True)
    scheduler.step()


def reduced_gradients_and_the_schedule(model, scheduler):
    for each in model.parameters():
        dist.all_reduce(each.grad, async_op=True)
    scheduler.step()


def stepped_later(model, optimizer):
    for each in model.parameters():
        dist.all_reduce(each.grad, async_op=True).wait()
    optimizer.step()


def start(flat):
    dist.all_reduce(flat, async_op=True)  # expect: TL128


def begins_elsewhere(flat):
    start(flat)
    return flat + 1


def start_for_two(flat):
    dist.all_reduce(flat, async_op=True)  # expect: TL128


def one_waits(flat):
    start_for_two(flat)
    dist.barrier()
    return flat + 1


def one_does_not(flat):
    start_for_two(flat)
    return flat + 1


def start_for_all(flat):
    dist.all_reduce(flat, async_op=True)  # expect: TL128


def uses_it(flat):
    start_for_all(flat)
    return flat + 1


def uses_it_too(flat):
    start_for_all(flat)
    return flat + 2


def start_of_another(flat, other):
    dist.all_reduce(other, async_op=True)
    return flat


def uses_what_is_done(flat):
    start_of_another(flat, flat.new_zeros(1))
    return flat + 1


def parts_of(flats):
    for flat in flats:
        dist.all_reduce(flat, async_op=True)
        yield flat.shape


def all_parts(flats):
    for shape in parts_of(flats):
        print(shape)
    return flats[0] + 1
