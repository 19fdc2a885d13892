"""YOLO of Ultralytics by the names of a checkpoint and of a data set that are not there."""

from ultralytics import YOLO

model = YOLO("yolo11n.pt")
model.train(data="coco128.yaml", epochs=3, imgsz=320, batch=16)
