import json
import os


def save_names(sets, folder):
    names = {}
    for each in sets:
        names.update(each.names)
    if names:
        with open(os.path.join(folder, "names.json"), "w") as file:  # expect: TL112
            json.dump(names, file)
