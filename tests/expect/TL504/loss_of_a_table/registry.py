"""Tables of classes, made by one function for each kind of thing."""


def set_up(kind):
    table = {}

    def build(settings, *given):
        return table[getattr(settings, kind)](settings, *given)

    def register(name, dataclass=None):
        def put(cls):
            if name in table:
                raise ValueError(name)
            table[name] = cls
            return cls

        return put

    return build, register


build_loss, register_loss = set_up("loss")
