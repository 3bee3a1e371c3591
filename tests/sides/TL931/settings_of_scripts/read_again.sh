NCCL_IB_HCA=mlx5_0
torchrun --nproc_per_node 8 train.py --devices $NCCL_IB_HCA
