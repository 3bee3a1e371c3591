torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --context-parallel-size 8 --seq-length 2056  # expect: TL925
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --context-parallel-size 8 --seq-length 2048
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --context-parallel-size 1 --seq-length 2047
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --context-parallel-size $CP --seq-length 2056
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --context-parallel-size 8 --seq-length $LENGTH
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --context-parallel-size 8 --seq-length 2056 --yaml-cfg model.yaml
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --tensor-model-parallel-size 2 --micro-batch-size 4 --global-batch-size 24  # expect: TL925
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --tensor-model-parallel-size 2 --micro-batch-size 4 --global-batch-size 32
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --tensor-model-parallel-size 2 --micro-batch-size $MICRO --global-batch-size 24
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --tensor-model-parallel-size 2 --micro-batch-size 4 --global-batch-size $WHOLE
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --tensor-model-parallel-size $TP --micro-batch-size 4 --global-batch-size 24
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --tensor-model-parallel-size 2 --micro-batch-size 4 --global-batch-size 24 $TRAIN_ARGS
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --tensor-model-parallel-size 2 --micro-batch-size 4 --global-batch-size 24 --rampup-batch-size 8 8 1000
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --tensor-model-parallel-size 8 --pipeline-model-parallel-size 2 --micro-batch-size 4 --global-batch-size 6  # expect: TL925
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --tensor-model-parallel-size 3 --micro-batch-size 5 --global-batch-size 24  # expect: TL925
