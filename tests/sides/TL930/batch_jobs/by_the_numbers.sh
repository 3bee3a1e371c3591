#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
srun torchrun --nnodes=2 --nproc_per_node=4 --master_addr=$HEAD pretrain.py  # expect: TL930
srun torchrun --nnodes=2 --nproc_per_node=4 --node_rank=1 --master_addr=$HEAD pretrain.py  # expect: TL930
srun torchrun --nnodes=2 --nproc_per_node=4 --node_rank=${SLURM_PROCID} --master_addr=$HEAD pretrain.py  # expect: TL930
srun torchrun --nnodes=2 --nproc_per_node=4 --node_rank=$MY_NODE --master_addr=$HEAD pretrain.py
srun torchrun --nnodes=2 --nproc_per_node=4 --rdzv_backend=static --rdzv_endpoint=$HEAD:29500 pretrain.py  # expect: TL930
srun torchrun --nnodes=2 --nproc_per_node=4 --rdzv_backend=$BACKEND --rdzv_endpoint=$HEAD:29500 pretrain.py
srun torchrun --nnodes=2 --nproc_per_node=4 --rdzv_backend=etcd-v2 --rdzv_endpoint=$HEAD:2379 pretrain.py
srun bash -c 'torchrun --nnodes=2 --nproc_per_node=4 --node_rank=$SLURM_NODEID --master_addr=$HEAD pretrain.py'
