"""An engine in a process of its own, as servers of language models have one: forked before the script asks for a card, told
to end while it still answers, and killed where that takes long."""
import multiprocessing
import signal
import time

import torch


def engine(pipe):
    signal.signal(signal.SIGTERM, lambda *_: print("the engine is told to end"))
    weights = torch.zeros(1 << 28, dtype=torch.int8, device="cuda")
    pipe.send(weights.sum().item())
    while True:  # it lets its caller wait
        time.sleep(0.05)


if __name__ == "__main__":
    print(torch.cuda.device_count())
    ours, its = multiprocessing.get_context("fork").Pipe()
    process = multiprocessing.get_context("fork").Process(target=engine, args=(its,))
    process.start()
    its.close()
    print(ours.recv())
    process.terminate()
    process.join(1)
    process.kill()
    process.join()
