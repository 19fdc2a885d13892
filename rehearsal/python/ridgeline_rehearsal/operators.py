"""What the values pass knows of an operator of torch by its name and schema."""

from . import products

NORMS = ("linalg_vector_norm", "norm", "_foreach_norm", "frobenius_norm")
LOSSES = ("nll_loss_forward", "nll_loss2d_forward", "cross_entropy_loss", "_cudnn_ctc_loss", "_ctc_loss", "ctc_loss")
READS = ("_local_scalar_dense", "copy_", "_to_copy", "to", "item", "is_nonzero", "equal")
OWN = ("aten", "prims", "prim", "c10d", "_c10d_functional", "torchvision", "torchaudio")  # take tensors with gaps
EMPTY = ("empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided")
ASKED = ("equal", "is_nonzero", "allclose")  # answer with yes or no
# What kernels ask of themselves: whether all is finite, whether they failed (they did not), whether lengths fill what they part.
CHECKS = {"linalg_eig": [1, 0], "_linalg_eigvals": [1, 0], "segment_reduce": [1]}
COUNTED = ("nonzero", "masked_select", "_unique", "_unique2", "unique_dim", "unique_consecutive", "repeat_interleave",
           "bincount", "nms", "_coalesce", "coalesce", "index", "index_put", "index_put_", "_index_put_impl_", *ASKED,
           "masked_scatter_backward", "isin", "linalg_matrix_exp", "_to_sparse", "_to_sparse_csr", "_to_sparse_csc", "_to_sparse_bsr", "_to_sparse_bsc")


class Operator:
    """What is known of one overload: whether it only makes a view, draws random numbers, acts by element."""

    def __init__(self, func, torch):
        self.func = func  # kept: it is known by its number
        schema = func._schema
        self.name = schema.name.split("::")[-1]
        self.exchange = "c10d" in schema.name
        self.trusting = schema.name.split("::")[0] not in OWN
        self.asked, self.counted = self.name in ASKED, self.name in COUNTED
        self.norm, self.loss = self.name in NORMS, self.name in LOSSES
        self.checks = CHECKS.get(self.name, [0] if self.name.startswith(("linalg_", "_linalg")) else None)
        self.writes = [a.alias_info is not None and a.alias_info.is_write for a in schema.arguments]
        self.in_place = any(self.writes)
        self.view = not self.in_place and any(r.alias_info is not None for r in schema.returns)
        tags = getattr(func, "tags", ())
        self.random = torch.Tag.nondeterministic_seeded in tags
        self.by_element = torch.Tag.pointwise in tags
        self.fresh = self.name in EMPTY
        self.product = self.name in products.NAMES or "attention" in self.name or "rnn" in self.name
        self.reads = self.name in READS
        self.parts = self.name in ("unbind", "select")
        self.skipped = self.name.startswith(("_fused_", "_foreach_")) or self.name in ("record_stream", "set_")
