from strategy import Strategy


class Trainer:
    def __init__(self, args, net):
        self.strategy = Strategy(args, net)

    def fit(self, loader, folder, keep):
        for step, batch in enumerate(loader):
            self.strategy.engine.step()
            self.logs(step, folder, keep)

    def logs(self, step, folder, keep):
        if step % 100 == 0 and self.strategy.is_rank_0():
            self.strategy.save_ckpt(folder, f"step{step}", keep)  # expect: TL101
        if step % 1000 == 0:
            self.strategy.save_ckpt(folder, f"step{step}", keep)


def export(strategy: Strategy, folder):
    if not strategy.is_rank_0():
        return
    strategy.engine.save_16bit_model(folder)  # expect: TL106
