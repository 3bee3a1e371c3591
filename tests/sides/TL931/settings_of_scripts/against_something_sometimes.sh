export NCCL_IB_DISABLE=1
if [ -n "$FABRIC" ]; then
  export NCCL_IB_GID_INDEX=3
fi
torchrun --nproc_per_node 8 train.py
