"""As in torchtune, pytorch/examples, open_clip (a flag of the object), LlamaGen (FSDP1, before), accelerate and OLMo (types of FSDP1)."""

import copy
import os

import torch
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict, set_model_state_dict
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP, StateDictType, fully_shard
from torch.distributed.tensor import distribute_tensor


def tune(model, full, device):
    fully_shard(model)
    own, parts = model.state_dict(), {}
    for name, tensor in full.items():
        parts[name] = distribute_tensor(tensor.to(device), own[name].device_mesh, own[name].placements)
    return model.load_state_dict(parts, strict=True, assign=True)


def in_place(model, path):
    fully_shard(model)
    state = torch.load(path, weights_only=True)
    for name in list(state):
        state[name] = distribute_tensor(state[name])
    model.load_state_dict(state)


class Task:
    def __init__(self, net, enabled):
        self.net = net
        self._fsdp_enabled = enabled
        if enabled:
            fully_shard(self.net)

    def restore(self, path):
        state = torch.load(path, weights_only=True)
        if self._fsdp_enabled:
            set_model_state_dict(self.net, state, options=StateDictOptions(full_state_dict=True))
        else:
            self.net.load_state_dict(state)


def first_loaded(model, path, policy):
    model.load_state_dict(torch.load(os.path.join(path, "model.pth"), map_location="cpu", weights_only=True), strict=True)
    return FSDP(model, auto_wrap_policy=policy, use_orig_params=True)


def of_one_type(model, path, policy):
    model = FSDP(model, auto_wrap_policy=policy)
    with FSDP.state_dict_type(model, StateDictType.FULL_STATE_DICT):
        model.load_state_dict(torch.load(path, weights_only=True))
    return model


def copied_behind(model, other):
    fully_shard(model)
    average = copy.deepcopy(model)
    average.load_state_dict(model.state_dict())
    return average


def whole(model):
    plain = copy.deepcopy(model)
    fully_shard(model)
    plain.load_state_dict(get_model_state_dict(model, options=StateDictOptions(full_state_dict=True)))
    return plain


def own_part(model, folder, rank):
    fully_shard(model)
    model.load_state_dict(torch.load(os.path.join(folder, f"weights-{rank}.pt"), weights_only=False))


def unrelated(model, classifier, path):
    fully_shard(model)
    classifier.load_state_dict(torch.load(path, weights_only=True))
    return model, classifier
