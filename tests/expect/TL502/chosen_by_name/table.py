"""Models by name: a decorator puts each class into a table, and a setting says which one is made."""

MODELS = {}
NOTES = {}


def enrol(name, **settings):
    def put(cls):
        if name in MODELS:
            raise ValueError(name)
        MODELS[name] = cls
        return cls

    return put


def remark(text):
    def note(cls):
        cls.remark = text
        return cls

    return note


def build(settings):
    return MODELS[settings.name](settings)
