"""States that are put into a dict if their key is in there already, and what else may have put it there."""

import torch


def never(model, scaler, path):
    state = {"model": model.state_dict()}
    if "scaler" in state:
        state["scaler"] = scaler.state_dict()  # expect: TL603
    torch.save(state, path)


def asked_of_another(model, scaler, path, other):
    state = {"model": model.state_dict()}
    if "scaler" in other:
        state["scaler"] = scaler.state_dict()
    torch.save(state, path)


def asked_for_another_key(model, scaler, path):
    state = {"model": model.state_dict()}
    if "model" in state:
        state["scaler"] = scaler.state_dict()
    torch.save(state, path)


def where_it_is_missing(model, scaler, path):
    state = {"model": model.state_dict()}
    if "scaler" not in state:
        state["scaler"] = scaler.state_dict()
    torch.save(state, path)


def in_the_other_arm(model, scaler, path):
    state = {"model": model.state_dict()}
    if "scaler" in state:
        print("twice?")
    else:
        state["scaler"] = scaler.state_dict()
    torch.save(state, path)


def one_of_two_tests(model, scaler, path, mixed):
    state = {"model": model.state_dict()}
    if mixed and "scaler" in state:
        state["scaler"] = scaler.state_dict()  # expect: TL603
    torch.save(state, path)


def either_of_two_tests(model, scaler, path, mixed):
    state = {"model": model.state_dict()}
    if mixed or "scaler" in state:
        state["scaler"] = scaler.state_dict()
    torch.save(state, path)


def there_from_the_start(model, scaler, path):
    state = {"model": model.state_dict(), "scaler": None}
    if "scaler" in state:
        state["scaler"] = scaler.state_dict()
    torch.save(state, path)


def put_there_above(model, scaler, path, mixed):
    state = {"model": model.state_dict()}
    if mixed:
        state["scaler"] = None
    if "scaler" in state:
        state["scaler"] = scaler.state_dict()
    torch.save(state, path)


def filled_by_others(model, scaler, path, fill):
    state = {"model": model.state_dict()}
    fill(state)
    if "scaler" in state:
        state["scaler"] = scaler.state_dict()
    torch.save(state, path)


def updated(model, scaler, path, more):
    state = {"model": model.state_dict()}
    state.update(more)
    if "scaler" in state:
        state["scaler"] = scaler.state_dict()
    torch.save(state, path)


def filled_later(model, scaler, path, fill):
    state = {"model": model.state_dict()}
    if "scaler" in state:
        state["scaler"] = scaler.state_dict()  # expect: TL603
    fill(state)
    torch.save(state, path)


def unknown_keys(model, scaler, path, name):
    state = {"model": model.state_dict(), name: 1}
    if "scaler" in state:
        state["scaler"] = scaler.state_dict()
    torch.save(state, path)


def in_a_loop(model, scaler, path, names):
    state = {"model": model.state_dict()}
    for name in names:
        if "scaler" in state:
            state["scaler"] = scaler.state_dict()
        state[name] = 1
    torch.save(state, path)


def no_state(model, scaler, path):
    state = {"model": model.state_dict()}
    if "scale" in state:
        state["scale"] = scaler.get_scale()
    torch.save(state, path)


def of_a_number(model, scaler, path):
    state = {"model": model.state_dict()}
    if 3 in state:
        state[3] = scaler.state_dict()
    torch.save(state, path)


def of_a_caller(state, scaler, path):
    if "scaler" in state:
        state["scaler"] = scaler.state_dict()
    torch.save(state, path)


def key_of_a_caller(model, scaler, path, key):
    state = {"model": model.state_dict()}
    if key in state:
        state[key] = scaler.state_dict()
    torch.save(state, path)
