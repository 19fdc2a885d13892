"""Modules that go to the card as another type: torch makes that type on the host first. Those are gigabytes that nobody
reads, since a rehearsal keeps no values of large weights: the host's memory is handed over as it comes."""

LARGE = 1 << 20  # elements


def goes_as_another_type(parameter, dtype, torch):
    return (type(parameter) is torch.nn.Parameter and parameter.device.type == "cpu" and parameter.is_floating_point()
            and parameter.dtype != dtype and parameter.numel() > LARGE)


def attach_torch(torch):
    move = torch.nn.Module.to

    def to(self, *arguments, **named):
        device, dtype = torch._C._nn._parse_to(*arguments, **named)[:2]
        if device is not None and device.type == "cuda" and dtype is not None and dtype.is_floating_point:
            for parameter in self.parameters():
                if goes_as_another_type(parameter, dtype, torch):
                    parameter.data = torch.empty_like(parameter.data, dtype=dtype)
        return move(self, *arguments, **named)

    torch.nn.Module.to = to
