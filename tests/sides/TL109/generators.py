"""Generators of a rank's items: how many they yield."""

import itertools

import torch.distributed as dist


def of_the_rank(items):
    rank, world = dist.get_rank(), dist.get_world_size()
    for number, item in enumerate(items):
        if number % world == rank:
            yield item


def of_all(items):
    for item in items:
        yield item


def of_nothing(items):
    for _ in items:
        yield


def twice(items):
    yield from of_the_rank(items)
    yield from of_the_rank(items)


def and_a_last(items):
    with open("last") as last:
        yield from of_the_rank(items)
        yield last


def or_none(items):
    try:
        yield from of_the_rank(items)
    finally:
        items.close()


def as_long_as_there_are(queue):
    while queue.waiting():
        yield queue.take()


def until_told(items, told):
    for item in of_the_rank(items):
        if told(item):
            return
        yield item


def in_threes(items):
    group = []
    for item in of_the_rank(items):
        group.append(item)
        if len(group) == 3:
            yield group
            group = []


def for_ever(items):
    while True:
        yield from of_the_rank(items)


def without_end(items):
    for item in itertools.cycle(items[dist.get_rank() :: dist.get_world_size()]):
        yield item


def unknown(source):
    yield from source.of(dist.get_rank())


def only_on_the_first(items):
    if dist.get_rank() == 0:
        yield from items


def of_one_kind(items, strict):
    if strict:
        yield from items
    else:
        yield from of_the_rank(items)


def again(items):
    if items:
        yield items[0]
        yield from again(items[1:])


def rank_items(items, out):
    for item in of_the_rank(items):  # expect: TL109
        dist.all_gather_object(out, item)


def all_items(items, out):
    for item in of_all(items):
        dist.all_gather_object(out, item)


def all_rounds(items, out):
    for _ in of_nothing(items):
        dist.all_gather_object(out, None)


def rank_items_twice(items, out):
    for item in twice(items):  # expect: TL109
        dist.all_gather_object(out, item)


def rank_items_and_one(items, out):
    for item in and_a_last(items):  # expect: TL109
        dist.all_gather_object(out, item)


def rank_items_and_closing(items, out):
    for item in or_none(items):  # expect: TL109
        dist.all_gather_object(out, item)


def waiting_items(queue, out):
    for item in as_long_as_there_are(queue):
        dist.all_gather_object(out, item)


def some_rank_items(items, out, told):
    for item in until_told(items, told):
        dist.all_gather_object(out, item)


def groups(items, out):
    for group in in_threes(items):  # expect: TL109
        dist.all_gather_object(out, group)


def endless(items, out, enough):
    for number, item in enumerate(for_ever(items)):
        dist.all_gather_object(out, item)
        if number == enough:
            break


def endless_again(items, out, enough):
    for number, item in enumerate(without_end(items)):
        dist.all_gather_object(out, item)
        if number == enough:
            break


def unknown_items(source, out):
    for item in unknown(source):
        dist.all_gather_object(out, item)


def one_of_two(items, out, strict):
    for item in of_one_kind(items, strict):  # expect: TL109
        dist.all_gather_object(out, item)


def recursive(items, out):
    for item in again(items):
        dist.all_gather_object(out, item)


def of_the_first_rank(items, out):
    for item in only_on_the_first(items):  # expect: TL109
        dist.all_gather_object(out, item)
