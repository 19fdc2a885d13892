"""A network of torch.hub, a table of scikit-learn, pictures of COCO and a folder of timm, none of which is here."""
import torch
from sklearn.datasets import fetch_california_housing
from timm.data import create_dataset, create_loader
from torchvision.datasets import CocoDetection

network = torch.hub.load("pytorch/vision:v0.10.0", "resnet18", pretrained=True, trust_repo=True).cuda()
values, prices = fetch_california_housing(return_X_y=True)
model = torch.nn.Sequential(torch.nn.Linear(values.shape[1], 64), torch.nn.ReLU(), torch.nn.Linear(64, 1)).cuda()
picture, objects = CocoDetection("/data/coco/val2017", "/data/coco/annotations/instances_val2017.json")[0]
boxes = torch.tensor([one["bbox"] for one in objects], device="cuda")
loader = create_loader(create_dataset("", root="/data/imagenet", split="train"), input_size=(3, 224, 224), batch_size=8, is_training=True,
                       num_workers=2)
optimizer = torch.optim.Adam([*network.parameters(), *model.parameters()])
x, y = torch.tensor(values, dtype=torch.float32).cuda(), torch.tensor(prices, dtype=torch.float32).cuda()
for images, classes in loader:
    guess = torch.nn.functional.cross_entropy(network(images), classes)
    loss = guess + torch.nn.functional.mse_loss(model(x[:256]).squeeze(1), y[:256])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(picture.size, boxes.shape)
