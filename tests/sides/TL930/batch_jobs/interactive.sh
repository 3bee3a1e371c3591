HEAD=$(hostname)
srun -N 2 torchrun --nnodes=2 --nproc_per_node=4 --node_rank=$SLURM_NODEID --master_addr=$HEAD pretrain.py
srun -N 2 torchrun --nnodes=2 --nproc_per_node=4 --node_rank 0 --master_addr=$HEAD pretrain.py  # expect: TL930
srun --ntasks-per-node=4 torchrun --standalone --nproc_per_node=4 finetune.py  # expect: TL930
torchrun --nnodes=2 --nproc_per_node=4 --node_rank 0 --master_addr=$HEAD pretrain.py
