"""Graph networks on data sets by their names: classes of nodes of one graph, of many small graphs in batches."""

import torch
from torch.nn import functional
from torch_geometric.datasets import PPI, Entities, JODIEDataset, Planetoid, TUDataset
from torch_geometric.loader import DataLoader
from torch_geometric.nn import FastRGCNConv, GCNConv, GINConv, global_add_pool
from torch_geometric.transforms import NormalizeFeatures

cora = Planetoid("data/planetoid", "Cora", transform=NormalizeFeatures())
assert (cora.num_features, cora.num_classes, cora[0].num_nodes) == (1433, 7, 2708)
data = cora[0].to("cuda")


class Nodes(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = GCNConv(cora.num_features, 64), GCNConv(64, cora.num_classes)

    def forward(self, x, edges):
        return self.second(functional.dropout(self.first(x, edges).relu(), training=self.training), edges)


class Graphs(torch.nn.Module):
    def __init__(self, features, classes):
        super().__init__()
        inner = torch.nn.Sequential(torch.nn.Linear(features, 64), torch.nn.ReLU(), torch.nn.Linear(64, 64))
        self.mix, self.head = GINConv(inner), torch.nn.Linear(64, classes)

    def forward(self, batch):
        return self.head(global_add_pool(self.mix(batch.x, batch.edge_index), batch.batch))


nodes = Nodes().cuda()
optimizer = torch.optim.Adam(nodes.parameters(), lr=0.01, weight_decay=5e-4)
proteins = TUDataset("data/tu", "PROTEINS").shuffle()
graphs = Graphs(proteins.num_features, proteins.num_classes).cuda()
second = torch.optim.Adam(graphs.parameters(), lr=0.01)
for batch in DataLoader(proteins[:512], batch_size=64, shuffle=True):
    optimizer.zero_grad()
    functional.cross_entropy(nodes(data.x, data.edge_index)[data.train_mask], data.y[data.train_mask]).backward()
    optimizer.step()
    batch = batch.to("cuda")
    second.zero_grad()
    loss = functional.cross_entropy(graphs(batch), batch.y)
    loss.backward()
    second.step()
    print(float(loss))

# Nodes that are known by their number, and edges of so many relations.
aifb = Entities("data/entities", "AIFB")
people = aifb[0].to("cuda")
assert (aifb.num_relations, people.num_nodes) == (90, 8285)
related = FastRGCNConv(people.num_nodes, 4, aifb.num_relations, num_bases=30).cuda()
third = torch.optim.Adam(related.parameters(), lr=0.01)
third.zero_grad()
functional.cross_entropy(related(None, people.edge_index, people.edge_type)[people.train_idx], people.train_y).backward()
third.step()

# Many graphs of which each node has labels, one list for each part.
tissue = PPI("data/ppi", split="train")
assert (len(tissue), tissue.num_features, tissue[0].y.shape) == (20, 50, (tissue[0].num_nodes, 121))

# A graph whose edges come one after another.
edits = JODIEDataset("data/jodie", "wikipedia")[0].to("cuda")
parts = edits.train_val_test_split(val_ratio=0.15, test_ratio=0.15)
assert (edits.num_events, edits.msg.shape[1], edits.num_nodes) == (157474, 172, 9227)
assert sum(part.num_events for part in parts) == edits.num_events and int(edits.src.max()) < int(edits.dst.min())
