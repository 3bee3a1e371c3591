export NCCL_SOCKET_IFNME=eth0  # expect: TL931
export NCCL_SOCKET_IFNAMES=eth0
echo "listens on $NCCL_SOCKET_IFNAMES"
NCCL_SOCKET_IFNAM=eth0
export NCCL_TREE_THRESHOLD=0  # expect: TL931
export NCCL_ASYNC_ERROR_HANDLING=1
torchrun --nproc_per_node 8 train.py
