"""Whether anything is unpickled is said by the caller, or by an object."""

import torch


class Policy:
    def __init__(self, trusting):
        self._trusting = trusting

    @property
    def only_weights(self):
        return self._trusting


def read(path, only):
    return torch.load(path, map_location="cpu", weights_only=only)  # expect: TL601


def read_safely(path, only=True):
    return torch.load(path, map_location="cpu", weights_only=only)


def resume(model, path):
    model.load_state_dict(read(path, only=False))


def resume_safely(model, path):
    model.load_state_dict(read_safely(path))


def resume_by_policy(model, path):
    policy, other = Policy(False), Policy(True)
    model.load_state_dict(torch.load(path, weights_only=policy.only_weights))  # expect: TL601
    model.head.load_state_dict(torch.load(path, weights_only=other.only_weights))
