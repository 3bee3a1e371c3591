torchrun --nnodes=2 --nproc_per_node=8 train.py  # expect: TL930
torchrun --nnodes=1:4 --nproc_per_node=8 train.py  # expect: TL930
torchrun --nnodes=1:1 --nproc_per_node=8 train.py
torchrun --nnodes=1 --nproc_per_node=8 train.py
torchrun --nnodes=$NODES --nproc_per_node=8 train.py
torchrun --nnodes=1:$NODES --nproc_per_node=8 train.py
torchrun --nnodes=2 --nproc_per_node=8 --rdzv_backend=c10d --master_addr=$HEAD train.py  # expect: TL930
torchrun --nnodes=2 --nproc_per_node=8 --rdzv_backend=static --master_addr=$HEAD train.py
torchrun --nnodes=2 --nproc_per_node=8 --rdzv_backend=$BACKEND --master_addr=$HEAD train.py
torchrun --nnodes=2 --nproc_per_node=8 --rdzv_backend=c10d --rdzv_endpoint=$HEAD:29500 train.py
torchrun --nnodes=2 --nproc_per_node=8 --node_rank=$1 --master_addr=$HEAD train.py
torchrun --nnodes=2 --nproc_per_node=8 --standalone train.py  # expect: TL930
