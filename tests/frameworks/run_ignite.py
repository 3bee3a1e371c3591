"""Two epochs with Ignite's supervised engines, on the CPU: what is asked is what the engines do to the model they are given."""

import ignite
import torch
from ignite.engine import Events, create_supervised_evaluator, create_supervised_trainer
from recorder import BATCHES, EPOCHS, EVALUATED, Recorder

recorder = Recorder()


def batches(count):
    return [(torch.randn(4, 8), torch.randint(2, (4,))) for _ in range(count)]


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.Dropout(0.1), torch.nn.Linear(8, 2))

    def forward(self, x):
        return self.net(x)


recorder.model = model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
trainer = create_supervised_trainer(model, optimizer, torch.nn.functional.cross_entropy)
evaluator = create_supervised_evaluator(model)
for engine, of in ((trainer, "trainer"), (evaluator, "evaluator")):
    for event in ("STARTED", "EPOCH_STARTED", "ITERATION_STARTED", "ITERATION_COMPLETED", "EPOCH_COMPLETED", "COMPLETED"):

        def handler(engine):
            """What is there when the event is fired."""

        name = f"ignite.engine.{of}.{event}"
        if name in recorder.hooks:
            engine.add_event_handler(getattr(Events, event), recorder.watched(name, handler))
trainer.add_event_handler(Events.EPOCH_COMPLETED, lambda _: evaluator.run(batches(EVALUATED)))
trainer.run(batches(BATCHES), max_epochs=EPOCHS)
recorder.seen(ignite.__version__)
