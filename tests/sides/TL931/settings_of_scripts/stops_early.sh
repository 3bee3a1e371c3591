set -e
NCCL_IB_HCA=mlx5_0  # expect: TL931
torchrun --nproc_per_node 8 train.py
