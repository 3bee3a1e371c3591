"""The latest of several kinds of files and folders, by what their names are made of."""

import glob
import os
from pathlib import Path

import numpy as np
import torch


def save_all(model, optimizer, folder, run, epoch, step):
    torch.save({"model": model.state_dict(), "step": step}, f"{folder}/plain-{step}.pt")
    torch.save({"model": model.state_dict(), "step": step}, f"{folder}/padded-{step:06d}.pt")
    torch.save({"model": model.state_dict(), "step": step}, f"{folder}/both-{epoch}-{step}.pt")
    torch.save({"model": model.state_dict(), "step": step}, f"{folder}/named-{run.slug()}-{step}.pt")
    torch.save({"model": model.state_dict(), "step": step}, f"{folder}/fixed.pt")
    torch.save({"model": model.state_dict(), "step": step}, open(f"{folder}/opened-{step}.pt", "wb"))
    model.save_pretrained(f"{folder}/hub-{step}")
    model.save_pretrained(folder)


def latest_plain(folder):
    return max(glob.glob(f"{folder}/plain-*.pt"))  # expect: TL609


def latest_by_question_mark(folder):
    return max(glob.glob(f"{folder}/plain-????.pt"))  # expect: TL609


def latest_of_three_digits(folder):
    return max(glob.glob(f"{folder}/plain-???.pt"))


def latest_padded(folder):
    return max(glob.glob(f"{folder}/padded-*.pt"))


def latest_of_two_numbers(folder):
    return max(glob.glob(f"{folder}/both-*.pt"))


def latest_of_a_name(folder):
    return max(glob.glob(f"{folder}/named-*.pt"))


def latest_fixed(folder):
    return max(glob.glob(f"{folder}/fixed*.pt"))


def latest_folder(folder):
    return max(Path(folder).glob("hub-*"))  # expect: TL609


def latest_folder_listed(folder):
    names = [name for name in os.listdir(folder) if name.startswith("hub-")]
    return os.path.join(folder, max(names))  # expect: TL609


def latest_folder_of_path(folder: Path):
    return max(path for path in folder.iterdir() if path.name.startswith("hub-"))  # expect: TL609


def latest_with_a_prefix_of_the_caller(folder, prefix):
    names = [name for name in os.listdir(folder) if name.startswith(prefix)]
    return os.path.join(folder, max(names))


def latest_without_the_padded(folder):
    names = [name for name in os.listdir(folder) if "padded" not in name and name.startswith("plain")]
    return os.path.join(folder, max(names))  # expect: TL609


def latest_that_is_big_enough(folder, sizes):
    names = [name for name in os.listdir(folder) if name.startswith("plain-") and sizes.get(name) and name in sizes]
    return os.path.join(folder, max(names))  # expect: TL609


def latest_not_empty(folder):
    names = [name for name in os.listdir(folder) if name.startswith("plain-") and name.strip() and os.path.getsize(name) > 3]
    return os.path.join(folder, max(names))  # expect: TL609


def latest_run(folder):
    return max([os.path.join(name, "plain-1.pt") for name in os.listdir(folder) if name.startswith("plain-")])


def latest_stem(folder):
    return max(name.upper() for name in os.listdir(folder) if name.startswith("plain-"))


def latest_of_stems(folder):
    return max(os.path.splitext(name)[0] for name in os.listdir(folder) if name.startswith("plain-"))


def latest_of_a_copy(folder):
    names = sorted(list(glob.glob(f"{folder}/plain-*.pt")))  # expect: TL609
    return names[-1]


def latest_of_nothing():
    names = list()
    names.sort()
    return names[-1]


def latest_array(folder):
    return np.sort(np.array(glob.glob(f"{folder}/plain-*.pt")))[0]


def latest_of_unknown(load, names):
    names.sort()
    return load(sorted(names)[-1])


def latest_turned(folder, descending):
    return sorted(glob.glob(f"{folder}/plain-*.pt"), reverse=descending)[0]


def latest_by_index(folder, index):
    return sorted(glob.glob(f"{folder}/plain-*.pt"))[index]


def latest_and_first(folder):
    names = sorted(glob.glob(f"{folder}/plain-*.pt"))
    return names[0], names[-1]


def table(folder):
    return max(glob.glob(f"{folder}/plain-*.pt"))  # expect: TL609
