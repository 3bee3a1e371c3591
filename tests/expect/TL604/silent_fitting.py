"""Keys that fit, files of others, and keys that may be missing."""
# Modelled on facebookresearch/detr, ultralytics/yolov5, OpenGVLab/InternVideo, huggingface/pytorch-image-models, Lightning-AI/pytorch-lightning.

import torch


def older_files(model, optimizer, path):
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": 1}, path)
    checkpoint = torch.load(path, map_location="cpu")
    if "model" in checkpoint.keys():
        state = checkpoint["model"]
    elif "module" in checkpoint.keys():
        state = checkpoint["module"]
    else:
        state = checkpoint
    model.load_state_dict(state)
    optimizer.load_state_dict(checkpoint["optimizer"])
    return checkpoint["epoch"]


def ready_for_a_missing_one(model, optimizer, path):
    torch.save({"a": model.state_dict(), "b": optimizer.state_dict(), "c": 1}, path)
    loaded = torch.load(path, map_location="cpu")
    model.load_state_dict(loaded["a"])
    optimizer.load_state_dict(loaded["b"])
    try:
        return loaded["c"], loaded["d"]
    except KeyError:
        return loaded["c"], None


def of_others(model, optimizer, path, url):
    torch.save({"state_dict": model.state_dict(), "sgd": optimizer.state_dict()}, path)
    published = torch.load(url, map_location="cpu")
    model.load_state_dict(published["state_dict"])
    return published["hyper_parameters"]


def by_a_caller(model, optimizer, path, callbacks):
    checkpoint = {"weights": model.state_dict(), "adam": optimizer.state_dict(), "step": 5}
    callbacks.on_save_checkpoint(checkpoint)
    torch.save(checkpoint, path)
    checkpoint = torch.load(path, map_location="cpu")
    model.load_state_dict(checkpoint["weights"])
    optimizer.load_state_dict(checkpoint["adam"])
    return checkpoint["step"], checkpoint["from_a_callback"]


def in_a_loop(model, optimizer, path, names):
    state = {"parameters": model.state_dict(), "moments": optimizer.state_dict(), "at": 5}
    for name in names:
        state[name] = name
    torch.save(state, path)
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["parameters"])
    optimizer.load_state_dict(state["moments"])
    return state["at"], state["named"]


def gone_over(parts, path, epochs, loader):
    optimizer, net = parts["optim"], parts["net"]
    loaded = torch.load(path, map_location="cpu")
    for name, state in loaded["states"].items():
        parts[name].load_state_dict(state)
    for epoch in range(loaded["begun"] + 1, epochs):
        for batch in loader:
            optimizer.zero_grad()
            net(batch).mean().backward()
            optimizer.step()
        torch.save({"states": {name: part.state_dict() for name, part in parts.items()}, "begun": epoch}, f"{path}.{epoch}")


def of_the_inside(model, optimizer, args, path):
    torch.save({"m": model.state_dict(), "o": optimizer.state_dict(), "options": vars(args)}, path)
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["m"])
    optimizer.load_state_dict(state["o"])
    return state["options"]["width"]


def saved_by_the_trainer(net, optimizer, params, path):
    torch.save({"net": net.state_dict(), "params": params, "rounds": optimizer.state_dict()}, path)


def converted(theirs, ours):
    # microsoft/unilm: the checkpoint of another program becomes one of this
    loaded = torch.load(theirs, map_location="cpu")
    config = {name: loaded["params"][name] for name in ("layers", "width")}
    config["steps"] = loaded["rounds"]["step"]
    vocabulary = {word: index for index, word in enumerate(loaded["id2word"])}
    torch.save({"weights": loaded["net"], "vocabulary": vocabulary, "config": config}, ours)
