"""Keys of checkpoints: read with and without asking, saved by these programs or by others."""

import torch


def save_first(path, model, optimizer, epoch, best):
    state = {"net": model.state_dict(), "optim": optimizer.state_dict(), "epoch": epoch}
    state["best_score"] = best
    torch.save(state, path)


def read_all(path, model, optimizer):
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["net"])
    optimizer.load_state_dict(state["optim"])
    return state["epoch"], state["best_score"]


def read_one_that_is_not_there(path, model, optimizer):
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["net"])
    optimizer.load_state_dict(state["optim"])
    return state["epochs"]  # expect: TL604


def read_into_a_name(path, model, optimizer):
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["net"])
    optimizer.load_state_dict(state["optim"])
    print(state["score"])  # expect: TL604


def read_into_an_attribute(path, model, optimizer, trainer):
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["net"])
    optimizer.load_state_dict(state["optim"])
    trainer.score = state["top_score"]  # expect: TL604


def read_for_a_loop(path, model, optimizer):
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["net"])
    optimizer.load_state_dict(state["optim"])
    for line in state["history"]:  # expect: TL604
        print(line)


def read_by_get(path, model, optimizer):
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["net"])
    optimizer.load_state_dict(state["optim"])
    return state.get("steps_done", 0)


def asked_before(path, model, optimizer):
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["net"])
    optimizer.load_state_dict(state["optim"])
    if "plan" in state:
        return state["plan"]
    return None


def asked_whether_not(path, model, optimizer):
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["net"])
    optimizer.load_state_dict(state["optim"])
    if "recipe" not in state:
        return None
    return state["recipe"]


def asked_for_another(path, model, optimizer):
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["net"])
    optimizer.load_state_dict(state["optim"])
    if "epoch" in state:
        return state["tally"]  # expect: TL604
    return None


def ready_for_it(path, model, optimizer):
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["net"])
    optimizer.load_state_dict(state["optim"])
    try:
        return state["extra"]
    except KeyError:
        return None


def of_somebody_else(path, model):
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["net"])
    return state["arch"]


def with_one_more_key(path, model):
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["net"])
    return state["epoch"], state["depth"]  # expect: TL604


def put_elsewhere(path, model, optimizer, table):
    table["palette"] = 3
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["net"])
    optimizer.load_state_dict(state["optim"])
    return state["palette"]


def named_elsewhere(path, model, optimizer, log):
    log(verbosity=3)
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["net"])
    optimizer.load_state_dict(state["optim"])
    return state["verbosity"]


def set_by_default_elsewhere(path, model, optimizer, table):
    table.setdefault("palettes", [])
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["net"])
    optimizer.load_state_dict(state["optim"])
    return state["palettes"]


def of_a_helper(state, model, optimizer):
    model.load_state_dict(state["net"])
    optimizer.load_state_dict(state["optim"])
    return state["rounds"]  # expect: TL604


def hands_it_on(path, model, optimizer):
    return of_a_helper(torch.load(path, map_location="cpu"), model, optimizer)


def of_a_caller(state, model, optimizer):
    model.load_state_dict(state["net"])
    optimizer.load_state_dict(state["optim"])
    return state["seasons"]


def converted(path, target):
    state = torch.load(path, map_location="cpu")
    known = {"net": state["net"], "optim": state["optim"], "notes": state["remarks"]}
    torch.save({"published": known}, target)


def nested(path, model, optimizer):
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["net"])
    optimizer.load_state_dict(state["optim"])
    return state["epoch"]["inner"]


def numbered(path, model, optimizer):
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["net"])
    optimizer.load_state_dict(state["optim"])
    return state[0]
