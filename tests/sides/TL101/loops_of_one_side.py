"""A loop that only some ranks come to, or that they leave: what the others run meanwhile decides."""

import time

import torch
import torch.distributed as dist


def a_loop_on_the_first(values):
    if dist.get_rank() == 0:
        for value in values:
            dist.all_reduce(value)  # expect: TL101
    dist.barrier()


def a_quiet_loop_on_the_first(values):
    if dist.get_rank() == 0:
        for value in values:
            print(value)
    dist.barrier()


def a_quiet_loop_in_a_loop_on_the_first(values):
    if dist.get_rank() == 0:
        for value in values:
            for part in value:
                print(part)
    dist.barrier()


def a_quiet_loop_in_a_loop_of_all(values):
    for value in values:
        if dist.get_rank() == 0:
            for part in value:
                print(part)
        dist.all_reduce(value)


def a_loop_in_a_loop_on_the_first(values):
    for value in values:
        if dist.get_rank() == 0:
            for part in value:
                dist.all_reduce(part)  # expect: TL101
        dist.barrier()


def one_loop_in_either_arm(values, rounds):
    for _ in range(rounds):
        if dist.get_rank() == 0:
            for value in values:
                dist.all_reduce(value)
        else:
            for value in values:
                dist.all_reduce(value)


def tried_until_it_is_written(model, path):
    if dist.get_rank() == 0:
        while True:
            try:
                torch.save(model, path)
                break
            except OSError:
                time.sleep(1)
    dist.barrier()


def tried_until_it_is_written_and_meets(model, path):
    if dist.get_rank() == 0:
        while True:
            try:
                torch.save(model, path)
                dist.all_reduce(model)  # expect: TL101
                break
            except OSError:
                time.sleep(1)
    dist.barrier()


def a_loop_against_one_call(values):
    if dist.get_rank() == 0:
        for value in values:
            dist.all_reduce(value)
    else:
        dist.all_reduce(values[0])


def the_first_skips(values):
    for value in values:
        if dist.get_rank() == 0:
            continue
        dist.all_reduce(value)  # expect: TL102


def bad_ones_are_skipped(values):
    for number, value in enumerate(values):
        if number % 10 == 3:
            continue
        dist.all_reduce(value)


def the_first_skips_what_is_behind(values):
    for value in values:
        dist.all_reduce(value)
        if dist.get_rank() == 0:
            continue
        print(value)


def served(request):
    if dist.get_rank() == 0:
        return
    while True:
        dist.broadcast(request, src=0)
        print(request)


def served_by_one_of_them(request):
    while True:
        if dist.get_rank() == 1:
            dist.broadcast(request, src=0)  # expect: TL101
        print(request)


def serve(request):
    while True:
        dist.broadcast(request, src=0)
        print(request)


def served_in_a_function(request):
    if dist.get_rank() != 0:
        serve(request)


def wait_often(request):
    for _ in range(10):
        dist.broadcast(request, src=0)


def waits_in_a_function(request):
    if dist.get_rank() != 0:
        wait_often(request)  # expect: TL101


def rows(values):
    for value in values:
        dist.all_reduce(value)
        yield value


def drawn_by_all(values):
    for value in rows(values):
        print(value)


def the_first_asks_for_more(values, ask):
    for value in values:
        if dist.get_rank() == 0:
            while not ask(value):
                time.sleep(1)
        dist.all_reduce(value)


def the_first_meets_for_more(values, ask):
    for value in values:
        if dist.get_rank() == 0:
            while not ask(value):
                dist.all_reduce(value)  # expect: TL101
        dist.barrier()
