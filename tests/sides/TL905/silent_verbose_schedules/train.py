from torch.optim.lr_scheduler import ReduceLROnPlateau, StepLR


def schedules(optimizer, talks):
    return [
        StepLR(optimizer, 10, verbose=True),
        StepLR(optimizer, 10, verbose=False),
        StepLR(optimizer, 10, verbose=talks),
        StepLR(optimizer, 10),
        ReduceLROnPlateau(optimizer, patience=2, verbose=True),
    ]
