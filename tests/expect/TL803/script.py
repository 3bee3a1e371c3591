"""A script that does both at its top level."""

import torch
import torch.backends.cudnn as cudnn

torch.manual_seed(1)
torch.cuda.manual_seed(1)

cudnn.benchmark = True  # expect: TL803
cudnn.deterministic = True
