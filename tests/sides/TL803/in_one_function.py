"""The search of cuDNN, and the wish for repeatable results, in one function."""

import torch
from torch.backends import cudnn


def both(seed):
    torch.manual_seed(seed)
    cudnn.deterministic = True
    cudnn.benchmark = True  # expect: TL803


def the_other_way_round(seed):
    cudnn.benchmark = True  # expect: TL803
    cudnn.deterministic = True


def with_the_whole_name():
    torch.backends.cudnn.deterministic = True
    torch.backends.cudnn.benchmark = True  # expect: TL803


def at_once():
    cudnn.deterministic = cudnn.benchmark = True  # expect: TL803


def search_off():
    cudnn.deterministic = True
    cudnn.benchmark = False


def wish_off():
    cudnn.deterministic = False
    cudnn.benchmark = True


def as_told(args):
    cudnn.deterministic = args.repeatable
    cudnn.benchmark = True


def as_numbers():
    cudnn.deterministic = 1
    cudnn.benchmark = 1


def search_switched_off_later():
    cudnn.deterministic = True
    cudnn.benchmark = True
    cudnn.benchmark = False


def wish_switched_off_later():
    cudnn.deterministic = True
    cudnn.benchmark = True
    cudnn.deterministic = False


def wish_switched_off_before():
    cudnn.deterministic = False
    cudnn.benchmark = True  # expect: TL803
    cudnn.deterministic = True


def search_of_another_branch(fast):
    if fast:
        cudnn.benchmark = True
    else:
        cudnn.deterministic = True


def search_if_asked(fast):
    cudnn.deterministic = True
    if fast:
        cudnn.benchmark = True


def search_if_there_is_a_gpu():
    cudnn.deterministic = True
    if torch.cuda.is_available():
        cudnn.benchmark = True  # expect: TL803


def wish_if_asked(repeatable):
    cudnn.benchmark = True  # expect: TL803
    if repeatable:
        cudnn.deterministic = True


def both_if_asked(asked):
    if asked:
        cudnn.deterministic = True
        cudnn.benchmark = True  # expect: TL803


def ready_to_fail():
    cudnn.deterministic = True
    try:
        print(torch.backends.cudnn.version())
    except RuntimeError:
        cudnn.benchmark = True


def of_another_object(options):
    options.deterministic = True
    options.benchmark = True


def repeatable():
    cudnn.deterministic = True


def repeatable_no_more():
    cudnn.deterministic = True
    cudnn.deterministic = False


def calls_before():
    repeatable()
    cudnn.benchmark = True  # expect: TL803


def calls_behind():
    cudnn.benchmark = True
    repeatable()


def calls_what_takes_it_back():
    repeatable_no_more()
    cudnn.benchmark = True


def calls_in_another_branch(fast):
    if fast:
        cudnn.benchmark = True
    else:
        repeatable()


def search():
    cudnn.benchmark = True  # expect: TL803


def wishes_and_calls():
    cudnn.deterministic = True
    search()


def search_first():
    cudnn.benchmark = True


def calls_and_wishes():
    search_first()
    cudnn.deterministic = False


def search_below():
    cudnn.benchmark = True  # expect: TL803


def between():
    search_below()


def wishes_above():
    cudnn.deterministic = True
    between()


def search_elsewhere():
    cudnn.benchmark = True


def wishes_in_another_branch(fast):
    if fast:
        search_elsewhere()
    else:
        cudnn.deterministic = True
