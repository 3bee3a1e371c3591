"""Two weights in a file are nothing of a training: any such file has these keys."""

import torch


def save_weights(path, generator, critic):
    torch.save({"generator": generator.state_dict(), "critic": critic.state_dict()}, path)


def load_weights(path, generator, critic):
    state = torch.load(path, map_location="cpu")
    generator.load_state_dict(state["generator"])
    critic.load_state_dict(state["critic"])
    return state["options"]


def save_training(path, generator, critic, step):
    torch.save({"g": generator.state_dict(), "c": critic.state_dict(), "step": step}, path)


def load_training(path, generator, critic):
    state = torch.load(path, map_location="cpu")
    generator.load_state_dict(state["g"])
    critic.load_state_dict(state["c"])
    print(state["step"])
    return state["configuration"]  # expect: TL604
