import torch

from trainer import Trainer


def run(model, optimizer, loader):
    trainer = Trainer(model, optimizer)
    for x, y in loader:
        trainer.train_step(x, y)


def adversarial(generator, critic, for_generator, for_critic, loader, noise):
    generator.cuda()
    critic.cuda()
    for real in loader:
        for_critic.zero_grad()
        judged = critic(real.cuda())
        loss = -judged.mean()
        loss.backward()
        for_critic.step()
        score = judged.mean().item()  # expect: TL801
        for_generator.zero_grad()
        fooled = -torch.relu(critic(generator(noise()))).mean()
        fooled.backward()
        for_generator.step()
        print(score)
