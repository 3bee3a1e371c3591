torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --tensor-model-parallel-size 8 --num-attention-heads 12  # expect: TL925
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --tensor-model-parallel-size 4 --num-attention-heads 12
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --tensor-model-parallel-size 8 --num-attention-heads 12 --use-checkpoint-args
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --tensor-model-parallel-size $TP --num-attention-heads 12
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --tensor-model-parallel-size 4 --group-query-attention --num-query-groups 6  # expect: TL925
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --tensor-model-parallel-size 4 --num-query-groups 6
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --tensor-model-parallel-size 4 --group-query-attention --num-query-groups 8
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --tensor-model-parallel-size 4 --group-query-attention --num-query-groups 2
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --tensor-model-parallel-size $TP --group-query-attention --num-query-groups 6
