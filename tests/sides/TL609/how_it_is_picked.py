"""The last of the files that are written below, picked by its name in several ways."""

import glob
import os
from glob import iglob
from pathlib import Path

import numpy as np
import torch


def save_checkpoint(folder, epoch, model, optimizer):
    state = {"model": model.state_dict(), "optimizer": optimizer.state_dict()}
    torch.save(state, os.path.join(folder, f"epoch_{epoch}.pth"))


def load_by_max(folder):
    return torch.load(max(glob.glob(os.path.join(folder, "epoch_*.pth"))), map_location="cpu")  # expect: TL609


def load_by_max_with_key(folder):
    return torch.load(max(glob.glob(os.path.join(folder, "epoch_*.pth")), key=os.path.getmtime), map_location="cpu")


def load_by_max_if_any(folder):
    path = max(glob.glob(os.path.join(folder, "epoch_*.pth")), default=None)  # expect: TL609
    return torch.load(path, map_location="cpu") if path else None


def load_the_later_of_two(folder):
    return torch.load(max(os.path.join(folder, "epoch_9.pth"), os.path.join(folder, "epoch_10.pth")), map_location="cpu")


def load_by_numpy(folder, scores):
    index = np.max(scores)
    return torch.load(os.path.join(folder, f"epoch_{index}.pth"), map_location="cpu")


def load_first_of_all(folder):
    return torch.load(min(glob.glob(os.path.join(folder, "epoch_*.pth"))), map_location="cpu")


def load_last_sorted(folder):
    return torch.load(sorted(glob.glob(os.path.join(folder, "epoch_*.pth")))[-1], map_location="cpu")  # expect: TL609


def load_first_sorted(folder):
    return torch.load(sorted(glob.glob(os.path.join(folder, "epoch_*.pth")))[0], map_location="cpu")


def load_first_reversed(folder):
    found = sorted(glob.glob(os.path.join(folder, "epoch_*.pth")), reverse=True)  # expect: TL609
    return torch.load(found[0], map_location="cpu")


def load_last_reversed(folder):
    found = sorted(glob.glob(os.path.join(folder, "epoch_*.pth")), reverse=True)
    return torch.load(found[-1], map_location="cpu")


def load_last_not_reversed(folder):
    found = sorted(glob.glob(os.path.join(folder, "epoch_*.pth")), reverse=False)  # expect: TL609
    return torch.load(found[-1], map_location="cpu")


def load_sorted_by_key(folder):
    found = sorted(glob.glob(os.path.join(folder, "epoch_*.pth")), key=os.path.getmtime)
    return torch.load(found[-1], map_location="cpu")


def load_several(folder):
    return [torch.load(path, map_location="cpu") for path in sorted(glob.glob(os.path.join(folder, "epoch_*.pth")))[-5:]]


def load_sorted_in_place(folder):
    found = glob.glob(os.path.join(folder, "epoch_*.pth"))
    found.sort()  # expect: TL609
    return torch.load(found[-1], map_location="cpu")


def load_sorted_in_place_reversed(folder):
    found = glob.glob(os.path.join(folder, "epoch_*.pth"))
    found.sort(reverse=True)  # expect: TL609
    return torch.load(found[0], map_location="cpu")


def load_sorted_in_place_by_time(folder):
    found = glob.glob(os.path.join(folder, "epoch_*.pth"))
    found.sort(key=os.path.getmtime)
    return torch.load(found[-1], map_location="cpu")


def load_sorted_in_place_first(folder):
    found = glob.glob(os.path.join(folder, "epoch_*.pth"))
    found.sort()
    return torch.load(found[0], map_location="cpu")


def load_by_iglob(folder):
    return torch.load(max(iglob(os.path.join(folder, "epoch_*.pth"))), map_location="cpu")  # expect: TL609


def load_by_named_pattern(folder):
    return torch.load(max(glob.glob(pathname=os.path.join(folder, "epoch_*.pth"))), map_location="cpu")  # expect: TL609


def load_by_path(folder):
    return torch.load(max(Path(folder).glob("epoch_*.pth")), map_location="cpu")  # expect: TL609


def load_by_path_below(folder):
    return torch.load(max(Path(folder).rglob(pattern="epoch_*.pth")), map_location="cpu")  # expect: TL609


def load_from_a_list(folder):
    found = list(Path(folder).glob("epoch_*.pth"))
    return torch.load(max(found), map_location="cpu")  # expect: TL609


def load_as_texts(folder):
    return torch.load(max([str(path) for path in Path(folder).glob("epoch_*.pth")]), map_location="cpu")  # expect: TL609


def load_by_number(folder):
    numbers = [int(path.stem.split("_")[1]) for path in Path(folder).glob("epoch_*.pth")]
    return torch.load(os.path.join(folder, f"epoch_{max(numbers)}.pth"), map_location="cpu")


def load_listed(folder):
    found = [name for name in os.listdir(folder) if name.startswith("epoch_")]
    return torch.load(os.path.join(folder, max(found)), map_location="cpu")  # expect: TL609


def load_listed_by_end(folder):
    found = [name for name in os.listdir(folder) if name.endswith(".pth")]
    return torch.load(os.path.join(folder, max(found)), map_location="cpu")  # expect: TL609


def load_listed_by_part(folder):
    found = [name for name in os.listdir(folder) if "epoch" in name]
    return torch.load(os.path.join(folder, max(found)), map_location="cpu")  # expect: TL609


def load_listed_by_both(folder):
    found = [name for name in os.listdir(folder) if name.startswith("epoch_") and name.endswith(".pth")]
    return torch.load(os.path.join(folder, max(found)), map_location="cpu")  # expect: TL609


def load_listed_of_others(folder):
    found = [name for name in os.listdir(folder) if name.startswith("fold_")]
    return torch.load(os.path.join(folder, max(found)), map_location="cpu")


def load_listed_with_another_end(folder):
    found = [name for name in os.listdir(folder) if name.startswith("epoch_") and name.endswith(".safetensors")]
    return torch.load(os.path.join(folder, max(found)), map_location="cpu")


def load_listed_with_another_part(folder):
    found = [name for name in os.listdir(folder) if "best" in name]
    return torch.load(os.path.join(folder, max(found)), map_location="cpu")


def load_joined(folder):
    found = [os.path.join(folder, name) for name in os.listdir(folder) if name.startswith("epoch_")]
    return torch.load(max(found), map_location="cpu")  # expect: TL609


def load_filtered(folder):
    found = filter(os.path.isfile, glob.glob(os.path.join(folder, "epoch_*.pth")))
    return torch.load(max(found), map_location="cpu")  # expect: TL609


def load_whatever_is_there(folder):
    return torch.load(os.path.join(folder, max(os.listdir(folder))), map_location="cpu")


def load_by_unknown_pattern(pattern):
    return torch.load(max(glob.glob(pattern)), map_location="cpu")


def load_by_one_of_two_patterns(folder, sharded):
    found = glob.glob(os.path.join(folder, "shard_*.pth" if sharded else "epoch_*.pth"))
    return torch.load(max(found), map_location="cpu")


def load_by_partly_unknown_pattern(folder, prefix):
    return torch.load(max(glob.glob(os.path.join(folder, f"{prefix.lower()}_*.pth"))), map_location="cpu")


def load_without_a_star(folder):
    return torch.load(max(glob.glob(os.path.join(folder, "epoch_1000.pth"))), map_location="cpu")


def most_recent_plot(folder):
    return max(glob.glob(os.path.join(folder, "epoch_*.png")))
