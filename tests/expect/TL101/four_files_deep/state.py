import gathering


def full_state(model, optimizer):
    return {"model": gathering.collect(model.shards()), "optimizer": gathering.collect(optimizer.shards())}
