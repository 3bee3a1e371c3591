"""accelerate: the accelerator, its state objects, decorators and context managers."""

from accelerate import Accelerator, PartialState
from accelerate.state import AcceleratorState

accelerator = Accelerator()
state = PartialState()


@accelerator.on_main_process
def decorated():
    accelerator.wait_for_everyone()  # expect: TL101


@accelerator.on_local_main_process
def decorated_locally():
    accelerator.wait_for_everyone()  # expect: TL101


@accelerator.on_last_process
def decorated_last():
    accelerator.wait_for_everyone()  # expect: TL101


@accelerator.on_process(process_index=1)
def decorated_for_one():
    accelerator.wait_for_everyone()  # expect: TL101


@accelerator.on_local_process(local_process_index=0)
def decorated_for_one_locally():
    accelerator.wait_for_everyone()  # expect: TL101


@state.on_main_process
def decorated_by_state():
    state.wait_for_everyone()  # expect: TL101


@PartialState().on_last_process
def decorated_by_new_state():
    state.wait_for_everyone()  # expect: TL101


def last():
    if accelerator.is_last_process:
        accelerator.wait_for_everyone()  # expect: TL101


def local():
    if accelerator.is_local_main_process:
        accelerator.wait_for_everyone()  # expect: TL101


def index():
    if accelerator.process_index == 0:
        accelerator.wait_for_everyone()  # expect: TL101


def of_the_state(tensor):
    if accelerator.state.process_index == 0:
        accelerator.gather(tensor)  # expect: TL101


def of_the_inner_state(tensor):
    if AcceleratorState().is_main_process:
        accelerator.gather(tensor)  # expect: TL101


def local_index(tensor):
    if not accelerator.local_process_index:
        accelerator.reduce(tensor)  # expect: TL101


def first_of_all():
    if accelerator.is_main_process:
        with accelerator.main_process_first():  # expect: TL101
            print("nobody comes after")


def first_of_all_here():
    if accelerator.is_local_main_process:
        with accelerator.local_main_process_first():  # expect: TL101
            print("nobody comes after")


def all_in_turn(build):
    with accelerator.main_process_first():
        build()
    with state.local_main_process_first():
        build()


def in_turn_with_a_test(build):
    with accelerator.main_process_first():
        if accelerator.is_main_process:
            build()


def several(tensor):
    if accelerator.num_processes > 1:
        accelerator.gather(tensor)


def distributed(tensor):
    if accelerator.use_distributed and state.num_processes != 1:
        accelerator.gather(tensor)


def only_printing(tensor):
    accelerator.print(tensor)
    if accelerator.is_main_process:
        accelerator.log({"loss": 1})
    accelerator.wait_for_everyone()


@accelerator.on_main_process
def decorated_and_quiet(path):
    path.touch()


def meets_afterwards(path):
    decorated_and_quiet(path)
    accelerator.wait_for_everyone()
