"""Context managers of libraries in which all ranks wait for each other, under a test on the rank."""

from accelerate import Accelerator, PartialState
from lightning.fabric import Fabric


def on_the_main_process(accelerator: Accelerator, prepare):
    if accelerator.is_main_process:
        with accelerator.main_process_first():  # expect: TL101
            prepare()


def local(prepare):
    state = PartialState()
    if state.process_index == 0:
        with state.local_main_process_first():  # expect: TL101
            prepare()


def fabric(download):
    fabric = Fabric()
    if fabric.global_rank != 0:
        with fabric.rank_zero_first(local=False):  # expect: TL101
            download()


def everybody(accelerator: Accelerator, prepare):
    with accelerator.main_process_first():
        prepare()
    with accelerator.local_main_process_first():
        prepare()
    if accelerator.is_main_process:
        print("prepared")


def only_without_a_cache(accelerator: Accelerator, prepare, options):
    if options.overwrite:
        with accelerator.main_process_first():
            prepare()


def work_of_one_inside(accelerator: Accelerator, prepare, check):
    with accelerator.main_process_first():
        prepare()
        if accelerator.is_main_process:
            check()
    accelerator.wait_for_everyone()
