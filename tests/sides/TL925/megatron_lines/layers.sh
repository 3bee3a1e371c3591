torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --pipeline-model-parallel-size 4 --num-layers 30  # expect: TL925
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --pipeline-model-parallel-size 4 --num-layers 30 --decoder-first-pipeline-num-layers 6
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --pipeline-model-parallel-size 4 --num-layers 30 $MODEL_ARGS
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --pipeline-model-parallel-size 4 --num-layers 32
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --pipeline-model-parallel-size 4 --num-layers 32 --num-layers-per-virtual-pipeline-stage 3  # expect: TL925
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --pipeline-model-parallel-size 4 --num-layers 32 --num-layers-per-virtual-pipeline-stage 4
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --pipeline-model-parallel-size 4 --num-layers 32 --num-virtual-stages-per-pipeline-rank 3  # expect: TL925
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --pipeline-model-parallel-size 4 --num-layers 32 --num-virtual-stages-per-pipeline-rank 2
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --pipeline-model-parallel-size 4 --num-layers 32 --num-layers-per-virtual-pipeline-stage 3 --yaml-cfg model.yaml
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --pipeline-model-parallel-size 4 --num-layers $LAYERS --num-layers-per-virtual-pipeline-stage 3
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --pipeline-model-parallel-size $PP --num-layers 32 --num-layers-per-virtual-pipeline-stage 3
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --pipeline-model-parallel-size 1 --num-layers 32 --num-layers-per-virtual-pipeline-stage 4  # expect: TL925
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --tensor-model-parallel-size 1 --num-layers 32 --num-layers-per-virtual-pipeline-stage 32
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --tensor-model-parallel-size 1 --sequence-parallel  # expect: TL925
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --tensor-model-parallel-size 2 --sequence-parallel
torchrun --nproc_per_node 8 pretrain_gpt.py --data-path data --tensor-model-parallel-size $TP --sequence-parallel
