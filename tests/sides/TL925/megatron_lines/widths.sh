torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --tensor-model-parallel-size 2 --num-attention-heads 12 --hidden-size 1000  # expect: TL925
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --tensor-model-parallel-size 2 --num-attention-heads 12 --hidden-size 1000 --kv-channels 64
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --tensor-model-parallel-size 2 --num-attention-heads 12 --hidden-size 1000 --kv-channels $CHANNELS
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --tensor-model-parallel-size 2 --num-attention-heads 12 --hidden-size 1000 $MODEL_ARGS
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --tensor-model-parallel-size 4 --ffn-hidden-size 1002  # expect: TL925
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --tensor-model-parallel-size 4 --ffn-hidden-size 1002 --num-experts 8
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --tensor-model-parallel-size 4 --ffn-hidden-size 1002 --expert-tensor-parallel-size 1
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --tensor-model-parallel-size 4 --ffn-hidden-size 1004
