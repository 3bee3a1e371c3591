#!/bin/bash
#SBATCH -G 4
HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
torchrun --standalone --nproc_per_node=8 finetune.py  # expect: TL930
torchrun --standalone --nproc_per_node=4 finetune.py
torchrun --standalone finetune.py
torchrun --standalone --nproc_per_node=gpu finetune.py
