torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --expert-model-parallel-size 8 --num-experts 60  # expect: TL925
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --expert-model-parallel-size 8 --num-experts 64
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --expert-model-parallel-size 8 --num-experts $EXPERTS
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --num-layers 32 --num-attention-heads 32 --expert-model-parallel-size 8  # expect: TL925
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --num-layers 32 --num-attention-heads 32 --expert-model-parallel-size 1
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --num-layers 32 --expert-model-parallel-size 8
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --num-layers 32 --num-attention-heads 32 --expert-model-parallel-size 8 --moe-num-shared-experts 2
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --num-layers 32 --num-attention-heads 32 --expert-model-parallel-size 8 --use-checkpoint-args
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --pipeline-model-parallel-size 4 --num-experts 16 --expert-model-parallel-size 4  # expect: TL925
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --pipeline-model-parallel-size 4 --num-experts 16 --expert-model-parallel-size 4 --no-pipeline-parallel
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --pipeline-model-parallel-size 2 --num-experts 16 --expert-model-parallel-size 4
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --pipeline-model-parallel-size $PP --num-experts 16 --expert-model-parallel-size 4
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --pipeline-model-parallel-size 2 --num-experts 16 --expert-model-parallel-size 4 --expert-tensor-parallel-size 2  # expect: TL925
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --pipeline-model-parallel-size 2 --num-experts 16 --expert-model-parallel-size 4 --expert-tensor-parallel-size $ETP
