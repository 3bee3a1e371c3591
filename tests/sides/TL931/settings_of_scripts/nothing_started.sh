NCCL_IB_HCA=mlx5_0
echo done
