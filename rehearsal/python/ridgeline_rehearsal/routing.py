"""Which expert a token goes to where no score was computed: to each as often as to any other, or skewed."""


def even_indices(torch, rows, columns, chosen, skew=0.0):
    """[rows, chosen] of indices below `columns`, each equally often; with a skew above 1 the first index
    is chosen so many times as often as the mean, the rest evenly."""
    places = torch.arange(rows * chosen, device="cpu").reshape(rows, chosen)
    found = places % columns
    if skew > 1 and columns > 1 and chosen < columns:
        crowded = min(rows, int(rows * chosen / columns * skew))
        found[:crowded, 0] = 0
        if chosen > 1:
            found[:crowded, 1:] = 1 + places[:crowded, 1:] % (columns - 1)
    return found


def even(values, made, inputs, skew):
    """Fills the results of topk or sort: values by one number, indices by even shares of the last dimension."""
    torch = values.torch
    columns = inputs[0].shape[-1] if inputs and inputs[0].dim() else 1
    for tensor in made:
        if tensor.is_floating_point() or not tensor.numel() or tensor.numel() > 1 << 22:
            values.assume([tensor], 0)
            continue
        chosen = tensor.shape[-1] if tensor.dim() else 1
        indices = even_indices(torch, tensor.numel() // chosen, max(columns, 1), chosen, skew)
        values.host(tensor).copy_(indices.reshape(tensor.shape))
        values.set_state(tensor, "assumed")
