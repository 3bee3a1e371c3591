import torch.backends.cudnn as cudnn

from seeding import fix


def launch(exp, args):
    if exp.seed is not None:
        fix(exp.seed)
    cudnn.benchmark = True  # expect: TL803
    exp.train(args)


def again(args):
    cudnn.benchmark = True
    fix(args.seed)
    cudnn.benchmark = False
