#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
for node in $(scontrol show hostnames); do
  scp pretrain.py $node:
done
ssh $OTHER "cd $PWD && bash worker.sh" &
torchrun --nnodes=2 --nproc_per_node=4 --rdzv_backend=c10d --rdzv_endpoint=$HEAD:29500 pretrain.py
