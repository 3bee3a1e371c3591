"""As in pytorch/examples, KaiyangZhou/deep-person-reid, NVIDIA/DeepLearningExamples, eriklindernoren/PyTorch-GAN, jwyang."""

import torchvision as tv
import torchvision.datasets as datasets, torchvision.transforms as T
import torchvision.transforms as transforms
from torch import nn
from torchvision import models as zoo
from torchvision.models import segmentation, vgg19


class Features(nn.Module):
    def __init__(self, pretrained=True, backbone=None):
        super().__init__()
        self.vgg = vgg19(pretrained=pretrained).features[:18]  # expect: TL912
        self.net = tv.models.mobilenet_v2(pretrained).features  # expect: TL912
        self.head = segmentation.fcn_resnet50(pretrained_backbone=False, num_classes=3)  # expect: TL912
        self.flow = zoo.optical_flow.raft_large(pretrained=True, progress=False)  # expect: TL912


def data(root):
    return datasets.MNIST(root, transform=transforms.ToTensor()), T.Resize(3)
