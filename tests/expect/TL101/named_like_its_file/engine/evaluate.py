"""One function, called like its file, that communicates nothing."""


def evaluate(model):
    return model.score()
