import pytest
from torch.utils.data import DataLoader


def test_raises():
    with pytest.raises(ValueError):
        DataLoader([1, 2], persistent_workers=True)
