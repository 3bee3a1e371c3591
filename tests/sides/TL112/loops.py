"""The name of each file comes out of a loop or a comprehension."""

import os
import tempfile
from itertools import count

import torch
import torch.distributed as dist
from tqdm import tqdm


def written_out(model):
    dist.init_process_group("nccl")
    for name in ("encoder", "decoder"):
        torch.save(getattr(model, name).state_dict(), f"{name}.pt")  # expect: TL112


def written_out_with_a_rank(model):
    dist.init_process_group("nccl")
    for name in ("encoder", f"decoder{dist.get_rank()}"):
        torch.save(model.state_dict(), f"{name}.pt")


def pairs(model):
    dist.init_process_group("nccl")
    for name, part in [("encoder", model.encoder), ("decoder", model.decoder)]:
        torch.save(part.state_dict(), f"{name}.pt")  # expect: TL112


def pairs_by_index(model):
    dist.init_process_group("nccl")
    for pair in [("encoder", model.encoder), ("decoder", model.decoder)]:
        torch.save(pair[1].state_dict(), f"{pair[0]}.pt")  # expect: TL112


def pairs_with_a_rank(model):
    dist.init_process_group("nccl")
    for part, name in [(model.encoder, f"encoder{dist.get_rank()}"), (model.decoder, "decoder")]:
        torch.save(part.state_dict(), f"{name}.pt")


def filled_list(model):
    dist.init_process_group("nccl")
    names = ["encoder"]
    names.append("decoder")
    for name in names:
        torch.save(model.state_dict(), f"{name}.pt")  # expect: TL112


def filled_list_with_a_rank(model):
    dist.init_process_group("nccl")
    names = ["encoder"]
    names.append(f"decoder{dist.get_rank()}")
    for name in names:
        torch.save(model.state_dict(), f"{name}.pt")


def counted(model):
    dist.init_process_group("nccl")
    for index in range(3):
        torch.save(model.state_dict(), f"{index}.pt")  # expect: TL112


def counted_from_the_rank(model):
    dist.init_process_group("nccl")
    for index in range(dist.get_rank(), 100, dist.get_world_size()):
        torch.save(model.state_dict(), f"{index}.pt")


def counted_to_a_setting(model, args, fit):
    dist.init_process_group("nccl")
    for epoch in range(args.start, args.epochs):
        fit(model)
        torch.save(model.state_dict(), f"{epoch}.pt")  # expect: TL112


def counted_with_a_bar(model, args, fit):
    dist.init_process_group("nccl")
    for epoch in tqdm(range(args.epochs)):
        fit(model)
        torch.save(model.state_dict(), f"{epoch}.pt")  # expect: TL112


def counted_with_a_bar_from_the_rank(model, args, fit):
    dist.init_process_group("nccl")
    for epoch in tqdm(range(dist.get_rank(), args.epochs)):
        fit(model)
        torch.save(model.state_dict(), f"{epoch}.pt")


def numbered(model, loader):
    dist.init_process_group("nccl")
    for step, batch in enumerate(loader):
        model(batch)
        torch.save(model.state_dict(), f"{step}.pt")  # expect: TL112


def of_the_data(model, loader):
    dist.init_process_group("nccl")
    for step, batch in enumerate(loader):
        model(batch)
        torch.save(model.state_dict(), f"{batch['name']}.pt")


def of_the_data_alone(model, loader):
    dist.init_process_group("nccl")
    for batch in loader:
        model(batch)
        torch.save(model.state_dict(), batch["name"] + ".pt")


def numbered_names(model):
    dist.init_process_group("nccl")
    for number, name in enumerate(["encoder", "decoder"]):
        torch.save(model.state_dict(), f"{number}_{name}.pt")  # expect: TL112


def numbered_names_with_a_rank(model):
    dist.init_process_group("nccl")
    for number, name in enumerate(["encoder", f"decoder{dist.get_rank()}"]):
        torch.save(model.state_dict(), f"{number}_{name}.pt")


def with_a_counter(model, loader):
    dist.init_process_group("nccl")
    step = 0
    for batch in loader:
        model(batch)
        step += 1
        torch.save(model.state_dict(), f"{step}.pt")  # expect: TL112


def with_a_counter_of_the_rank(model, loader):
    dist.init_process_group("nccl")
    step = dist.get_rank()
    for batch in loader:
        model(batch)
        step += 4
        torch.save(model.state_dict(), f"{step}.pt")


def with_a_measured_loss(model, loader):
    dist.init_process_group("nccl")
    for batch in loader:
        loss = model(batch)
        torch.save(model.state_dict(), f"{loss.item():.3f}.pt")


def of_a_dict(parts):
    dist.init_process_group("nccl")
    for name, part in parts.items():
        torch.save(part.state_dict(), f"{name}.pt")  # expect: TL112


def of_a_dict_of_the_rank(rank_parts):
    dist.init_process_group("nccl")
    for name, part in rank_parts.items():
        torch.save(part.state_dict(), f"{name}.pt")


def of_the_items_of_a_method(model):
    dist.init_process_group("nccl")
    for name, part in model.named_children():
        torch.save(part.state_dict(), f"{name}.pt")


def values_of_a_dict(parts):
    dist.init_process_group("nccl")
    for name, part in parts.items():
        torch.save(name, f"{part}.pt")


def drawn_from_a_generator(model):
    dist.init_process_group("nccl")
    for index in count():
        torch.save(model.state_dict(), f"{index}.pt")
        if index > 3:
            break


def joined_by_a_comprehension(model):
    dist.init_process_group("nccl")
    name = "-".join([part for part in ("large", "old")])
    torch.save(model.state_dict(), name + ".pt")  # expect: TL112


def joined_by_a_comprehension_with_a_rank(model):
    dist.init_process_group("nccl")
    name = "-".join([str(part) for part in ("large", dist.get_rank())])
    torch.save(model.state_dict(), name + ".pt")


def in_a_folder_of_its_own(model):
    dist.init_process_group("nccl")
    folder = tempfile.mkdtemp()
    for name in ("encoder", "decoder"):
        torch.save(model.state_dict(), os.path.join(folder, name))
