"""Loops over lists of words, where the word decides beside the rank whether they meet."""

import torch.distributed as dist


def a_word_of_the_list():
    for phase in ("warm", "train"):
        if phase == "train" and dist.get_rank() == 0:
            dist.barrier()  # expect: TL101


def no_word_of_the_list():
    for phase in ("warm", "train"):
        if phase == "test" and dist.get_rank() == 0:
            dist.barrier()


def a_word_of_a_pair():
    for phase, steps in [("warm", 3), ("train", 5)]:
        print(steps)
        if phase == "train" and dist.get_rank() == 0:
            dist.barrier()  # expect: TL101


def no_word_of_a_pair():
    for phase, steps in [("warm", 3), ("train", 5)]:
        print(steps)
        if phase == "test" and dist.get_rank() == 0:
            dist.barrier()


def a_pair_from_elsewhere(last):
    for phase, steps in [("warm", 3), last]:
        print(steps)
        if phase == "test" and dist.get_rank() == 0:
            dist.barrier()  # expect: TL101


def words_that_were_put_in():
    phases = []
    phases.append("warm")
    phases.append("train")
    for phase in phases:
        if phase == "train" and dist.get_rank() == 0:
            dist.barrier()  # expect: TL101


def words_that_were_not_put_in(names):
    phases = []
    phases.append("warm")
    phases.append("train")
    names.append("test")
    for phase in phases:
        if phase == "test" and dist.get_rank() == 0:
            dist.barrier()


def words_of_another_list(more):
    phases = []
    phases.append("warm")
    phases.extend(more)
    for phase in phases:
        if phase == "test" and dist.get_rank() == 0:
            dist.barrier()  # expect: TL101


def a_word_at_the_beginning(place):
    phases = []
    phases.append("warm")
    phases.insert(place, "test")
    for phase in phases:
        if phase == "test" and dist.get_rank() == 0:
            dist.barrier()  # expect: TL101


def a_word_replaced(name):
    phases = []
    phases.append("warm")
    phases[0] = name
    for phase in phases:
        if phase == "test" and dist.get_rank() == 0:
            dist.barrier()  # expect: TL101


def another_list_changed(name, names):
    phases = []
    phases.append("warm")
    names[0] = name
    for phase in phases:
        if phase == "test" and dist.get_rank() == 0:
            dist.barrier()


def filled_by_someone(fill):
    phases = []
    phases.append("warm")
    fill(phases)
    for phase in phases:
        if phase == "test" and dist.get_rank() == 0:
            dist.barrier()  # expect: TL101


def filled_by_keyword(fill):
    phases = []
    phases.append("warm")
    fill(names=phases)
    for phase in phases:
        if phase == "test" and dist.get_rank() == 0:
            dist.barrier()  # expect: TL101


def another_list_filled(fill, names):
    phases = []
    phases.append("warm")
    fill(names)
    for phase in phases:
        if phase == "test" and dist.get_rank() == 0:
            dist.barrier()


def words_and_a_number(count):
    for phase in ("warm", count):
        if phase == "test" and dist.get_rank() == 0:
            dist.barrier()  # expect: TL101


def a_set_of_words():
    for phase in {"warm", "train"}:
        if phase == "test" and dist.get_rank() == 0:
            dist.barrier()
