import json
import os


def read_or_prepare(folder):
    path = os.path.join(folder, "prepared.json")
    if not os.path.isfile(path):
        if not os.path.isdir(folder):
            os.makedirs(folder)  # expect: TL112
        with open(path, "w") as file:  # expect: TL112
            json.dump(list(range(100)), file)
    with open(path) as file:
        return json.load(file)
