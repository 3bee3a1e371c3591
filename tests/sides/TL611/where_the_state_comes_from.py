"""A state that is taken as far as it fits: whether it surely is what was read from a file, and who chose its keys."""

import copy

import safetensors.torch
import torch


def fresh(model, path):
    model.load_state_dict(torch.load(path, map_location="cpu"), strict=False)  # expect: TL611


def all_of_it(model, path):
    model.load_state_dict(torch.load(path, map_location="cpu"), strict=True)


def strict_as_it_is_by_default(model, path):
    model.load_state_dict(torch.load(path, map_location="cpu"))


def as_the_user_wants(model, path, strict):
    model.load_state_dict(torch.load(path, map_location="cpu"), strict)


def positional(model, path):
    model.load_state_dict(torch.load(path, map_location="cpu"), False)  # expect: TL611


def an_item(model, path):
    checkpoint = torch.load(path, map_location="cpu")
    model.load_state_dict(checkpoint["model"], strict=False)  # expect: TL611


def an_item_of_an_item(model, path):
    checkpoint = torch.load(path, map_location="cpu")
    model.load_state_dict(checkpoint["states"]["ema"], strict=False)  # expect: TL611


def of_safetensors(model, path):
    model.load_state_dict(safetensors.torch.load_file(path), strict=False)  # expect: TL611


def from_an_argument(model, checkpoint):
    model.load_state_dict(checkpoint["model"], strict=False)


def of_a_registry(model, registry):
    model.load_state_dict(registry.fetch("resnet50"), strict=False)


def answer_is_kept(model, path):
    report = model.load_state_dict(torch.load(path, map_location="cpu"), strict=False)
    print(report.missing_keys)


def answer_is_returned(model, path):
    return model.load_state_dict(torch.load(path, map_location="cpu"), strict=False)


def without_the_head(model, path):
    state = torch.load(path, map_location="cpu")
    state.pop("head.weight")
    state.pop("head.bias")
    model.load_state_dict(state, strict=False)


def with_another_number(model, path):
    state = torch.load(path, map_location="cpu")
    state["head.bias"] = torch.zeros(10)
    model.load_state_dict(state, strict=False)  # expect: TL611


def keys_that_begin_so(model, path):
    state = torch.load(path, map_location="cpu")
    for name in list(state.keys()):
        if name.startswith("head"):
            del state[name]
    model.load_state_dict(state, strict=False)


def names_of_the_state_itself(model, path):
    state = torch.load(path, map_location="cpu")
    for name in list(state):
        if name.startswith("head"):
            del state[name]
    model.load_state_dict(state, strict=False)


def sorted_items(model, path):
    state = torch.load(path, map_location="cpu")
    wanted = {}
    for name, value in sorted(state.items()):
        wanted["encoder." + name] = value
    model.load_state_dict(state, strict=False)


def loop_over_something_else(model, path, layers):
    state = torch.load(path, map_location="cpu")
    for layer in layers:
        layer.reset_parameters()
    model.load_state_dict(state, strict=False)  # expect: TL611


def loop_over_numbers(model, path):
    state = torch.load(path, map_location="cpu")
    for index in range(3):
        print(index)
    model.load_state_dict(state, strict=False)  # expect: TL611


def loop_over_a_batch_of_paths(model, paths):
    for path in sorted(paths):
        model.load_state_dict(torch.load(path, map_location="cpu"), strict=False)  # expect: TL611


def until_it_is_there(model, path):
    while not path.exists():
        print("waiting")
    model.load_state_dict(torch.load(path, map_location="cpu"), strict=False)  # expect: TL611


def comprehension(model, path):
    state = {name[7:]: value for name, value in torch.load(path, map_location="cpu").items()}
    model.load_state_dict(state, strict=False)


def display(model, path):
    saved = torch.load(path, map_location="cpu")
    model.load_state_dict({"encoder.weight": saved["weight"]}, strict=False)


def of_the_teacher(student, teacher):
    student.load_state_dict(copy.deepcopy(teacher.state_dict()), strict=False)


def second_attempt(model, path):
    state = torch.load(path, map_location="cpu")
    try:
        model.load_state_dict(state)
    except RuntimeError:
        model.load_state_dict(state, strict=False)


def first_attempt(model, path):
    try:
        model.load_state_dict(torch.load(path, map_location="cpu"), strict=False)  # expect: TL611
    except FileNotFoundError:
        print("nothing to begin from")


def named_argument(model, path):
    model.load_state_dict(state_dict=torch.load(path, map_location="cpu"), strict=False)  # expect: TL611


def named_item(model, path):
    saved = torch.load(path, map_location="cpu")
    model.load_state_dict(strict=False, state_dict=saved["model"])  # expect: TL611


def named_argument_of_a_caller(model, state):
    model.load_state_dict(state_dict=state, strict=False)


def one_of_two_files(model, first, second, resumed):
    state = torch.load(first, map_location="cpu") if resumed else torch.load(second, map_location="cpu")
    model.load_state_dict(state, strict=False)  # expect: TL611


def a_file_or_a_download(model, path, hub):
    state = torch.load(path, map_location="cpu") if path else hub.fetch("resnet50")
    model.load_state_dict(state, strict=False)


def load_state_dict(model, state, strict=True):
    return model.load_state_dict(state, strict=strict)


def by_the_helper_of_this_file(model, path):
    load_state_dict(model, torch.load(path, map_location="cpu"), strict=False)
