"""Lists that are filled, comprehensions and generators: how many items a rank's has."""

import itertools

import torch.distributed as dist


def comprehension_of_all(items, out):
    rank, world = dist.get_rank(), dist.get_world_size()
    names = [f"{rank}/{world}/{item}" for item in items]
    for name in names:
        dist.all_gather_object(out, name)


def comprehension_with_a_filter_for_all(items, out):
    long = [item for item in items if len(item) > 3]
    for item in long:
        dist.all_gather_object(out, item)


def comprehension_of_those_of_the_rank(items, out):
    rank, world = dist.get_rank(), dist.get_world_size()
    for item in [item for i, item in enumerate(items) if item and i % world == rank]:  # expect: TL109
        dist.all_gather_object(out, item)


def comprehension_without_end(out, ask):
    numbers = (ask(number) for number in itertools.count(dist.get_rank(), dist.get_world_size()))
    for number in numbers:
        dist.all_gather_object(out, number)


def strided_lists(items, out):
    world = dist.get_world_size()
    parts = [items[i::world] for i in range(world)]
    for item in parts[dist.get_rank()]:  # expect: TL109
        dist.all_gather_object(out, item)


def strided_lists_of_some(items, out):
    world = dist.get_world_size()
    parts = [items[i::world] for i in range(world) if i in out]
    for item in parts[dist.get_rank()]:
        dist.all_gather_object(out, item)


def blocks(items, out):
    world = dist.get_world_size()
    each = len(items) // world
    parts = [list(range(i * each, (i + 1) * each)) for i in range(world)]
    for item in parts[dist.get_rank()]:
        dist.all_gather_object(out, item)


def blocks_rounded_up(items, out):
    world = dist.get_world_size()
    each = -(-len(items) // world)
    parts = [range(i * each, min((i + 1) * each, len(items))) for i in range(world)]
    for item in parts[dist.get_rank()]:  # expect: TL109
        dist.all_gather_object(out, item)


def lists_over_names(items, out, names):
    parts = [items[name] for name in names]
    for item in parts[dist.get_rank()]:
        dist.all_gather_object(out, item)


def lists_from_one_on(items, out):
    world = dist.get_world_size()
    parts = [items[i::world] for i in range(1, world + 1)]
    for item in parts[dist.get_rank()]:
        dist.all_gather_object(out, item)


def the_part_of_a_table_of_ranks(items, out, owner):
    parts = [items[i::4] for i in range(4)]
    for item in parts[owner[dist.get_rank()]]:
        dist.all_gather_object(out, item)


PARTS = [list(range(i, 103, 4)) for i in range(4)]


def of_a_constant(out):
    for item in PARTS[dist.get_rank()]:  # expect: TL109
        dist.all_gather_object(out, item)


def of_a_constant_for_all(out):
    for item in PARTS[0]:
        dist.all_gather_object(out, item)


def filled_with_all(items, out):
    mine = []
    for item in items:
        mine.append(item)
    for item in mine:
        dist.all_gather_object(out, item)


def filled_with_parts(groups, out):
    mine = []
    mine.extend(groups[dist.get_rank() :: dist.get_world_size()])
    for item in mine:  # expect: TL109
        dist.all_gather_object(out, item)


def filled_while_another_is_too(items, out):
    mine, theirs = [], []
    for number, item in enumerate(items):
        if number % dist.get_world_size() == dist.get_rank():
            mine.append(item)
        else:
            theirs.append(item)
    for item in mine:  # expect: TL109
        dist.all_gather_object(out, item)
    return theirs


def filled_in_both_branches(items, out):
    mine = []
    for number, item in enumerate(items):
        if number % dist.get_world_size() == dist.get_rank():
            mine.append(item)
        else:
            mine.append(None)
    for item in mine:
        dist.all_gather_object(out, item)


def filled_and_emptied(items, out):
    mine = []
    for number, item in enumerate(items):
        if number % dist.get_world_size() == dist.get_rank():
            mine.append(item)
    while len(mine) % 8:
        mine.pop()
    for item in mine:
        dist.all_gather_object(out, item)


def filled_until_it_is_enough(items, out, limit):
    mine = []
    for number, item in enumerate(items):
        if number % dist.get_world_size() == dist.get_rank():
            mine.append(item)
        if len(mine) == limit:
            break
    for item in mine:
        dist.all_gather_object(out, item)


def never_filled(out, fill):
    mine = []
    fill(mine)
    for item in mine:
        dist.all_gather_object(out, item)


def skipped_with_something_to_do(items, out, log):
    mine = []
    for number, item in enumerate(items):
        if number % dist.get_world_size() != dist.get_rank():
            log(number)
            continue
        mine.append(item)
    for item in mine:  # expect: TL109
        dist.all_gather_object(out, item)


def skipped_when_it_is_empty(items, out):
    mine = []
    for item in items:
        if not item:
            continue
        mine.append(item)
    for item in mine:
        dist.all_gather_object(out, item)


def dealt_to_another_list(items, out):
    world = dist.get_world_size()
    hands, spare = [[] for _ in range(world)], [[] for _ in range(world)]
    for number, item in enumerate(items):
        spare[number % world].append(item)
    for item in hands[dist.get_rank()]:
        dist.all_gather_object(out, item)


def dealt_by_a_table(items, out, owner):
    world = dist.get_world_size()
    hands = [[] for _ in range(world)]
    for item in items:
        hands[owner[item]].append(item)
    for item in hands[dist.get_rank()]:  # expect: TL109
        dist.all_gather_object(out, item)


def dealt_and_taken_back(items, out):
    world = dist.get_world_size()
    hands = [[] for _ in range(world)]
    for number, item in enumerate(items):
        hands[number % world].append(item)
    hands[0].pop()
    for item in hands[dist.get_rank()]:
        dist.all_gather_object(out, item)


def dealt_by_rounds(out, rounds):
    world = dist.get_world_size()
    hands = [[] for _ in range(world)]
    for number in itertools.count():
        if number == rounds:
            break
        hands[number % world].append(number)
    for item in hands[dist.get_rank()]:
        dist.all_gather_object(out, item)
