torchrun --nproc_per_node $GPUS pretrain_gpt.py --data-path data --tensor-model-parallel-size 3
torchrun --nproc_per_node $GPUS pretrain_gpt.py --data-path data --tensor-model-parallel-size 2 --micro-batch-size 4 --global-batch-size 6
torchrun --nproc_per_node $GPUS pretrain_gpt.py --data-path data --pipeline-model-parallel-size 4 --num-experts 16 --expert-model-parallel-size 4
torchrun --nproc_per_node $GPUS pretrain_gpt.py --data-path data --tensor-model-parallel-size 8 --num-attention-heads 12  # expect: TL925
