python numbered.py
mpirun -np 2 python numbered.py
