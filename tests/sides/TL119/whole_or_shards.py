"""State dicts for models behind `fully_shard`: where they come from, and what is done to them on the way."""

import copy

import torch
from safetensors.torch import load_file
from torch import nn
from torch.distributed.checkpoint.state_dict import get_model_state_dict
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor import distribute_tensor


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def load_state_dict(self, state, strict=True, assign=False):
        own = self.state_dict()
        parts = {name: distribute_tensor(state[name], own[name].device_mesh) for name in own}
        return super().load_state_dict(parts, strict, assign)


def of_a_file(path):
    model = nn.Linear(4, 4)
    fully_shard(model)
    model.load_state_dict(torch.load(path))  # expect: TL119


def of_safetensors(path):
    model = nn.Linear(4, 4)
    fully_shard(model)
    model.load_state_dict(load_file(path))  # expect: TL119


def by_keyword(path):
    model = nn.Linear(4, 4)
    fully_shard(model)
    model.load_state_dict(state_dict=torch.load(path), assign=True)  # expect: TL119


def an_item(path):
    model = nn.Linear(4, 4)
    fully_shard(model)
    state = torch.load(path)
    model.load_state_dict(state["model"])  # expect: TL119


def by_get(path):
    model = nn.Linear(4, 4)
    fully_shard(model)
    state = torch.load(path)
    model.load_state_dict(state.get("model"))  # expect: TL119


def by_pop(path):
    model = nn.Linear(4, 4)
    fully_shard(model)
    model.load_state_dict(torch.load(path).pop("model"))  # expect: TL119


def sharded_later(path):
    model = nn.Linear(4, 4)
    model.load_state_dict(torch.load(path))
    fully_shard(model)


def never_sharded(path):
    model = nn.Linear(4, 4)
    model.load_state_dict(torch.load(path))


def own_method(path):
    model = Net()
    fully_shard(model)
    model.load_state_dict(torch.load(path))


def of_another_model(path):
    model, other = nn.Linear(4, 4), nn.Linear(4, 4)
    fully_shard(other)
    model.load_state_dict(torch.load(path))


def of_a_caller(state):
    model = nn.Linear(4, 4)
    fully_shard(model)
    model.load_state_dict(state)


def handed_a_file(state):
    model = nn.Linear(4, 4)
    fully_shard(model)
    model.load_state_dict(state)  # expect: TL119


def hands_it(path):
    handed_a_file(torch.load(path))


def of_what_is_unknown(path, reader):
    model = nn.Linear(4, 4)
    fully_shard(model)
    model.load_state_dict(reader(path))


def of_a_file_or_something(path, reader):
    model = nn.Linear(4, 4)
    fully_shard(model)
    model.load_state_dict(torch.load(path) if path else reader())


def of_a_file_of_this_rank(path, rank):
    model = nn.Linear(4, 4)
    fully_shard(model)
    model.load_state_dict(torch.load(f"{path}/model_rank_{rank}.pt"))


def of_an_unknown_argument(arguments):
    model = nn.Linear(4, 4)
    fully_shard(model)
    model.load_state_dict(torch.load(**arguments))


def changed_on_the_way(path):
    model = nn.Linear(4, 4)
    fully_shard(model)
    state = torch.load(path)
    own = model.state_dict()
    for name in own:
        state[name] = distribute_tensor(state[name], own[name].device_mesh)
    model.load_state_dict(state)


def updated_on_the_way(path, more):
    model = nn.Linear(4, 4)
    fully_shard(model)
    state = torch.load(path)
    state.update(more)
    model.load_state_dict(state)


def asked_on_the_way(path):
    model = nn.Linear(4, 4)
    fully_shard(model)
    state = torch.load(path)
    print(len(state), state.keys())
    model.load_state_dict(state)  # expect: TL119


def handed_on_the_way(path, spread):
    model = nn.Linear(4, 4)
    fully_shard(model)
    state = torch.load(path)
    spread(state)
    model.load_state_dict(state)


def of_a_plain_model():
    model, plain = nn.Linear(4, 4), nn.Linear(4, 4)
    fully_shard(model)
    model.load_state_dict(plain.state_dict())  # expect: TL119


def of_a_plain_copy():
    model = nn.Linear(4, 4)
    plain = copy.deepcopy(model)
    fully_shard(model)
    model.load_state_dict(plain.state_dict())


def of_another_sharded_model():
    model, other = nn.Linear(4, 4), nn.Linear(4, 4)
    fully_shard(model)
    fully_shard(other)
    model.load_state_dict(other.state_dict())


def of_itself():
    model = nn.Linear(4, 4)
    fully_shard(model)
    model.load_state_dict(model.state_dict())


def shards_for_a_plain_model():
    model, plain = nn.Linear(4, 4), nn.Linear(4, 4)
    fully_shard(model)
    plain.load_state_dict(model.state_dict())  # expect: TL119


def shards_for_a_model_of_another_class():
    model, plain = nn.Linear(4, 4), nn.Conv2d(4, 4, 1)
    fully_shard(model)
    plain.load_state_dict(model.state_dict())


def shards_for_a_copy_made_before():
    model = nn.Linear(4, 4)
    plain = copy.deepcopy(model)
    fully_shard(model)
    plain.load_state_dict(model.state_dict())  # expect: TL119


def shards_for_a_copy_made_behind():
    model = nn.Linear(4, 4)
    fully_shard(model)
    other = copy.deepcopy(model)
    other.load_state_dict(model.state_dict())


def shards_by_the_library():
    model, plain = nn.Linear(4, 4), nn.Linear(4, 4)
    fully_shard(model)
    plain.load_state_dict(get_model_state_dict(model))  # expect: TL119


def whole_by_the_library(options):
    model, plain = nn.Linear(4, 4), nn.Linear(4, 4)
    fully_shard(model)
    plain.load_state_dict(get_model_state_dict(model, options=options))


def whole_by_something(gather):
    model, plain = nn.Linear(4, 4), nn.Linear(4, 4)
    fully_shard(model)
    plain.load_state_dict(gather(model))


def shards_taken_before():
    model, plain = nn.Linear(4, 4), nn.Linear(4, 4)
    state = model.state_dict()
    fully_shard(model)
    plain.load_state_dict(state)


def shards_for_a_model_of_a_caller(plain):
    model = nn.Linear(4, 4)
    fully_shard(model)
    plain.load_state_dict(model.state_dict())


def under_the_same_test(path, sharded):
    model = nn.Linear(4, 4)
    if sharded:
        fully_shard(model)
        model.load_state_dict(torch.load(path))  # expect: TL119


def under_the_other_test(path, sharded):
    model = nn.Linear(4, 4)
    if sharded:
        fully_shard(model)
    else:
        model.load_state_dict(torch.load(path))
