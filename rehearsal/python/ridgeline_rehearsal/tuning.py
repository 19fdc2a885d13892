"""Kernels that torch and Triton would choose by timing them. The stand-in card runs none, so that each further one would
only be compiled on the host, hundreds of them under `max-autotune`: the first that the card can hold is taken."""

TRIED = 2  # of Inductor's: it times what it has only where there are several, in memory of the card
NEVER = [float("inf")] * 3


def attach_triton(module):
    """`module` is triton.runtime.autotuner."""
    prune, bench = module.Autotuner.prune_configs, module.Autotuner._bench

    def prune_configs(self, *arguments, **named):
        self.one_runs = False
        return prune(self, *arguments, **named)

    def _bench(self, *arguments, **named):
        if getattr(self, "one_runs", False):
            return NEVER
        times = bench(self, *arguments, **named)
        self.one_runs = times != NEVER  # those that ask for more than the card has take for ever
        return times

    module.Autotuner.prune_configs, module.Autotuner._bench = prune_configs, _bench


def attach_inductor(module):
    """`module` is torch._inductor.runtime.triton_heuristics."""
    kind = module.CachingAutotuner
    compile_all = getattr(kind, "_precompile_worker", None)

    def _precompile_worker(self):
        all_of_them = self.configs
        if not all_of_them or len(all_of_them) <= TRIED:
            return compile_all(self)
        self.configs = all_of_them[:TRIED]
        try:
            return compile_all(self)
        except module.NoTritonConfigsError:  # the first ask for more than the card has
            self.configs = all_of_them
            return compile_all(self)

    if compile_all and hasattr(module, "NoTritonConfigsError"):
        kind._precompile_worker = _precompile_worker
    kind.coordinate_descent_tuning = lambda self, launcher, *_, **__: launcher
