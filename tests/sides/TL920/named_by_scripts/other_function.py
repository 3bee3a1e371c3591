from our_engine import initialize


def main(model):
    return initialize(model=model, config="other_function.json")
