if [ -z "$FABRIC" ]; then
  export NCCL_IB_DISABLE=1
fi
export NCCL_IB_GID_INDEX=3
torchrun --nproc_per_node 8 train.py
