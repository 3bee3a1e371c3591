from torch.optim.lr_scheduler import ReduceLROnPlateau, StepLR


def schedules(optimizer, talks):
    return [
        StepLR(optimizer, 10, verbose=True),  # expect: TL905
        StepLR(optimizer, 10, verbose=False),  # expect: TL905
        StepLR(optimizer, 10, verbose=talks),  # expect: TL905
        StepLR(optimizer, 10),
        ReduceLROnPlateau(optimizer, patience=2, verbose=True),  # expect: TL905
    ]
