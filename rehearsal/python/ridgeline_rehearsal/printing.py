"""How a tensor of the card is printed."""


def attach_torch(torch):
    """torch turns every mode off while it prints, and asks the card how many elements are finite: nobody would answer.
    So a small tensor is read to the host and printed there; of a large one no values are known."""
    module = torch._tensor_str
    told = module._str

    def _str(self, *, tensor_contents=None):
        if tensor_contents is None and self.is_cuda and self.layout is torch.strided and not self.is_quantized:
            tensor_contents = "..."
            if 0 < self.numel() <= module.PRINT_OPTS.threshold:
                with torch.no_grad():
                    host = self.detach().cpu()
                tensor_contents = module._tensor_str(host, len("tensor("))
            elif self.numel() == 0:
                tensor_contents = "[]"
        return told(self, tensor_contents=tensor_contents)

    module._str = _str
