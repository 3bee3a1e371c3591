"""`# trainlint: collective` on a call, or on a function: every rank must make it."""

import os

import fastlink
from helpers import Meeting, gather_all, quiet, settle

RANK = int(os.environ["RANK"])


def on_a_call(tensor):
    if RANK == 0:
        fastlink.exchange(tensor)  # trainlint: collective  # expect: TL101


def on_an_outer_call(tensor):
    if RANK == 0:
        fastlink.exchange(fastlink.pack(tensor))  # trainlint: collective  # expect: TL101


def on_a_call_of_many_lines(tensor):
    if RANK == 0:
        fastlink.exchange(  # expect: TL101
            tensor,
            wait=True,
        )  # trainlint: collective


def on_a_function(tensor):
    if RANK == 0:
        gather_all(tensor)  # expect: TL101


def on_a_function_of_many_lines(tensor):
    if RANK == 0:
        settle(tensor)  # expect: TL101


def on_a_method(tensor):
    meeting = Meeting()
    if RANK == 0:
        meeting.hold(tensor)  # expect: TL101


def through_another(tensor):
    if RANK == 0:
        _exchanged(tensor)  # expect: TL101


def _exchanged(tensor):
    return fastlink.exchange(tensor)  # trainlint: collective


def everybody(tensor):
    gather_all(tensor)
    settle(tensor)
    fastlink.exchange(tensor)  # trainlint: collective


def both(tensor):
    if RANK == 0:
        gather_all(tensor)
    else:
        gather_all(-tensor)


def without_a_word(tensor):
    if RANK == 0:
        quiet(tensor)
        fastlink.pack(tensor)
