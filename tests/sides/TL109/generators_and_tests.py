"""Generators and filled lists whose rounds are picked by tests: with continue, in else branches, in blocks."""

import torch.distributed as dist


def skipping_the_empty(items):
    for item in items:
        if not item:
            continue
        yield item


def skipped_if_empty(items, out):
    for item in skipping_the_empty(items):
        dist.all_gather_object(out, item)


def in_the_else(items):
    for number, item in enumerate(items):
        if number % dist.get_world_size() != dist.get_rank():
            print(number)
        else:
            yield item


def picked_in_the_else(items, out):
    for item in in_the_else(items):  # expect: TL109
        dist.all_gather_object(out, item)


def in_both(items):
    for number, item in enumerate(items):
        if number % dist.get_world_size() == dist.get_rank():
            yield item
        else:
            yield None


def as_many_in_both(items, out):
    for item in in_both(items):
        dist.all_gather_object(out, item)


def one_more_on_the_first(items):
    if dist.get_rank() == 0:
        yield "header"
    yield from items


def with_a_header_on_the_first(items, out):
    for item in one_more_on_the_first(items):  # expect: TL109
        dist.all_gather_object(out, item)


def one_more_for_all(items):
    yield "header"
    yield from items


def with_a_header(items, out):
    for item in one_more_for_all(items):
        dist.all_gather_object(out, item)


def one_more_if_wanted(items, wanted):
    if wanted:
        yield "header"
    yield from items


def with_a_header_if_wanted(items, out, wanted):
    for item in one_more_if_wanted(items, wanted):
        dist.all_gather_object(out, item)


def from_a_file(path):
    with open(path) as text:
        for number, line in enumerate(text):
            if number % dist.get_world_size() == dist.get_rank():
                yield line


def lines_of_a_file(path, out):
    for line in from_a_file(path):  # expect: TL109
        dist.all_gather_object(out, line)


def from_a_file_that_may_be_bad(path):
    for number, line in enumerate(open(path)):
        try:
            if number % dist.get_world_size() == dist.get_rank():
                yield line
        finally:
            print(number)


def lines_of_a_file_that_may_be_bad(path, out):
    for line in from_a_file_that_may_be_bad(path):  # expect: TL109
        dist.all_gather_object(out, line)


def without_end(items):
    while True:
        yield from items[dist.get_rank() :: dist.get_world_size()]


def gone_round_and_round(items, out):
    for item in without_end(items):
        dist.all_gather_object(out, item)


def until_enough(items, enough):
    for item in items[dist.get_rank() :: dist.get_world_size()]:
        if enough(item):
            return
        yield item


def left_early(items, out, enough):
    for item in until_enough(items, enough):
        dist.all_gather_object(out, item)


def a_list_filled_by_the_rank(items, out):
    mine = []
    for number, item in enumerate(items):
        if number % dist.get_world_size() == dist.get_rank() and item is not None:
            mine.append(item)
    for item in mine:  # expect: TL109
        dist.all_gather_object(out, item)


def a_list_filled_at_once(items, out):
    mine = []
    mine.extend(items[dist.get_rank() :: dist.get_world_size()])
    for item in mine:  # expect: TL109
        dist.all_gather_object(out, item)


def a_list_filled_at_once_for_all(items, out):
    mine = []
    mine.extend(items)
    for item in mine:
        dist.all_gather_object(out, item)


def a_list_that_is_emptied(items, out):
    mine = []
    mine.extend(items[dist.get_rank() :: dist.get_world_size()])
    mine.clear()
    for item in mine:
        dist.all_gather_object(out, item)


def chosen_in_a_list(items, out):
    mine = [item for number, item in enumerate(items) if number % dist.get_world_size() == dist.get_rank()]
    for item in mine:  # expect: TL109
        dist.all_gather_object(out, item)


def good_ones_in_a_list(items, out, good):
    mine = [item for item in items if good(item)]
    for item in mine:
        dist.all_gather_object(out, item)


def chosen_good_ones(items, out):
    mine = [item for n, item in enumerate(items) if item is not None and n % dist.get_world_size() == dist.get_rank()]
    for item in mine:  # expect: TL109
        dist.all_gather_object(out, item)


def one_of_lists_in_a_list(items, out):
    world = dist.get_world_size()
    parts = [items[number::world] for number in range(world)]
    for item in parts[dist.get_rank()]:  # expect: TL109
        dist.all_gather_object(out, item)


def the_first_of_lists_in_a_list(items, out):
    world = dist.get_world_size()
    parts = [items[number::world] for number in range(world)]
    for item in parts[0]:
        dist.all_gather_object(out, item)
