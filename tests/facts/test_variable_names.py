"""Which names of variables are nearly known ones."""

from __future__ import annotations

import pytest

from trainlint.jobs.environment_variables import Names
from trainlint.knowledge import load_knowledge

NAMES = Names(load_knowledge({}))


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("NCCL_SOCKET_IFNME", "NCCL_SOCKET_IFNAME"),  # a letter is missing
        ("NCCL_DEBUGG", "NCCL_DEBUG"),  # one too many
        ("NCCL_DEBGU", "NCCL_DEBUG"),  # two are exchanged
        ("NCLL_DEBUG", "NCCL_DEBUG"),
        ("NCCL_SOCKETIFNAME", "NCCL_SOCKET_IFNAME"),  # words are not parted
        ("NCCL_SOCKET_IF_NAME", "NCCL_SOCKET_IFNAME"),
        ("NCCL_DISABLE_IB", "NCCL_IB_DISABLE"),  # or stand in another order
        ("CUDA_VISIBLE_DEVICE", "CUDA_VISIBLE_DEVICES"),
        ("TORCH_CUDA_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF"),
        ("TORCH_NCCL_ASYNC_ERROR_HANDELING", "TORCH_NCCL_ASYNC_ERROR_HANDLING"),
        ("XLA_PYTHON_CLIENT_PREALOCATE", "XLA_PYTHON_CLIENT_PREALLOCATE"),
    ],
)
def test_nearly_known(written: str, meant: str) -> None:
    assert NAMES.meant(written) == meant


@pytest.mark.parametrize(
    "written",
    [
        "NCCL_DEBUG",
        "NCCL_TREE_THRESHOLD",
        "NCCL_FASTRAK_IFNAME",
        "NCCL_USE_SNAP",
        "NCCL_DYNAMIC_CHUNK_SIZE",
        "NCCL_TIMEOUT",
        "NCCL_IB_FO",  # a word of its own in place of another one
        "RCCL_DEBUG",
        "TORCH_HCCL_BLOCKING_WAIT",
        "PYTORCH_NPU_ALLOC_CONF",
        "PYTORCH_MUSA_ALLOC_CONF",
        "TORCH_CUDNN_V9_API_DISABLED",  # another number
        "XLA_PARAMETER_WRAPPING_THREADSHOLD",  # torch_xla spells it like that
        "CUDA_VERSION",
        "TORCH_VERSION",
        "MASTER_ADDR",
        "DEBUG",
        "",
    ],
)
def test_known_or_far_from_all(written: str) -> None:
    assert NAMES.meant(written) is None


def test_no_known_name_is_nearly_another() -> None:
    assert [name for name in NAMES.library if NAMES.meant(name) is not None] == []
