def short(name):
    return name.removeprefix("module.")
