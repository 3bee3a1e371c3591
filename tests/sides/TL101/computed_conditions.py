"""Conditions on the rank that are computed: texts, lists, items by the rank, any and all."""

import os

import torch.distributed as dist


def name_begins():
    name = f"rank{dist.get_rank()}"
    if name.startswith("rank0"):
        dist.barrier()  # expect: TL101


def name_of_all_begins():
    name = f"run{dist.get_world_size()}"
    if name.startswith("run"):
        dist.barrier()


def name_ends():
    name = f"rank-{dist.get_rank()}"
    if name.endswith("-0"):
        dist.barrier()  # expect: TL101


def rank_as_text():
    if str(dist.get_rank()).strip() == "0":
        dist.barrier()  # expect: TL101


def rank_of_the_environment():
    if os.environ["RANK"].strip().lower() == "0":
        dist.barrier()  # expect: TL101


def user_of_the_environment():
    if os.environ["USER"].strip().lower() == "root":
        dist.barrier()


def one_of_two_texts():
    name = "First" if dist.get_rank() == 0 else "Others"
    if name.lower() == "first":
        dist.barrier()  # expect: TL101


def one_of_two_texts_for_all(verbose):
    name = "Loud" if verbose else "Quiet"
    if name.lower() == "loud":
        dist.barrier()


def place_in_a_list():
    if [3, 1, 0, 2].index(dist.get_rank()) == 0:
        dist.barrier()  # expect: TL101


def place_in_a_list_of_strangers(host):
    if ["a", "b"].index(host) == 0:
        dist.barrier()


def item_by_rank():
    roles = ["writer", "reader", "reader", "reader"]
    if roles[dist.get_rank()] == "writer":
        dist.barrier()  # expect: TL101


def same_item_by_rank():
    roles = ["reader", "reader", "reader", "reader"]
    if roles[dist.get_rank()] == "reader":
        dist.barrier()


def item_for_all():
    roles = ["writer", "reader", "reader", "reader"]
    if roles[0] == "writer":
        dist.barrier()


def item_or_default():
    roles = {0: "writer"}
    if roles.get(dist.get_rank(), "reader") == "writer":
        dist.barrier()  # expect: TL101


def item_or_nothing():
    roles = {0: "writer"}
    if roles.get(dist.get_rank()) is not None:
        dist.barrier()  # expect: TL101


def item_or_the_same():
    roles = {0: "reader"}
    if roles.get(dist.get_rank(), "reader") == "reader":
        dist.barrier()


def item_of_what_is_drawn():
    writes = [number == 0 for number in range(8)]
    if writes[dist.get_rank()]:
        dist.barrier()  # expect: TL101


def item_of_a_dictionary_that_is_drawn():
    writes = {number: number == 0 for number in range(8)}
    if writes.get(dist.get_rank(), False):
        dist.barrier()  # expect: TL101


def any_of_two(verbose):
    if any([dist.get_rank() == 0, verbose]):
        dist.barrier()  # expect: TL101


def any_of_two_for_all(verbose, quick):
    if any([quick, verbose]):
        dist.barrier()


def all_of_two(verbose):
    if all((verbose, dist.get_rank() == 0)):
        dist.barrier()  # expect: TL101


def any_of_the_numbers():
    if any(dist.get_rank() == number for number in (0, 1)):
        dist.barrier()  # expect: TL101


def any_of_some_numbers():
    if any(dist.get_rank() == number for number in range(4) if number > 2):
        dist.barrier()  # expect: TL101


def all_of_the_numbers():
    if all(dist.get_rank() != number for number in (1, 2, 3)):
        dist.barrier()  # expect: TL101


def the_least():
    if min(dist.get_rank(), 3) == 0:
        dist.barrier()  # expect: TL101


def the_least_of_what_is_alike(limit):
    if min(limit, 3) == 0:
        dist.barrier()


def how_many_are_cut():
    names = ["a", "b", "c", "d"]
    if len(names[dist.get_rank() :]) == 4:
        dist.barrier()  # expect: TL101


def how_many_there_are():
    names = ["a", "b", "c", "d"]
    if len(names[1:]) == 3:
        dist.barrier()
