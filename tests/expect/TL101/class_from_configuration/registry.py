CLASSES = {}


def register(cls):
    CLASSES[cls.__name__] = cls
    return cls


def build(options):
    return CLASSES[options.pop("type")](**options)
