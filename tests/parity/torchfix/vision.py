"""Models and transforms of torchvision."""

import torchvision
import torchvision.datasets as datasets
import torchvision.models as models
import torchvision.transforms as transforms
from torchvision.models.detection import maskrcnn_resnet50_fpn
from torchvision.models.resnet import resnet50
from torchvision.transforms import v2


def build(flag):
    first = models.resnet18(pretrained=True)
    second = torchvision.models.vgg16(pretrained=False)
    third = resnet50(True)
    fourth = maskrcnn_resnet50_fpn(pretrained=False, pretrained_backbone=True)
    fifth = models.segmentation.fcn_resnet50(pretrained_backbone=False)
    sixth = models.alexnet(pretrained=flag) if flag else None
    return first, second, third, fourth, fifth, sixth


def read(root):
    to_tensor = v2.ToTensor()
    return datasets.MNIST(root, transform=transforms.Compose([to_tensor]))
