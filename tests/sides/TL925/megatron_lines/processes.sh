torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --tensor-model-parallel-size 3  # expect: TL925
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --tensor-model-parallel-size 4 --pipeline-model-parallel-size 2
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --tensor-model-parallel-size 4 --pipeline-model-parallel-size 4  # expect: TL925
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --tensor-model-parallel-size 4 --pipeline-model-parallel-size 4 --no-pipeline-parallel
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --tensor-model-parallel-size 3 --no-pipeline-parallel  # expect: TL925
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --tensor-model-parallel-size 3 --encoder-tensor-model-parallel-size 1
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --tensor-model-parallel-size 3 --pipeline-model-parallel-size $PP  # expect: TL925
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --tensor-model-parallel-size $TP --pipeline-model-parallel-size 2
