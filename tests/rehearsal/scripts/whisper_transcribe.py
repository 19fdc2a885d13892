"""Speech to text with OpenAI's own package, whose checkpoint is on a server of its makers."""

import torch
import whisper

model = whisper.load_model("tiny.en")
assert (model.dims.n_vocab, model.dims.n_audio_layer, model.device.type) == (51864, 4, "cuda")
sound = whisper.pad_or_trim(torch.zeros(16000 * 5))
heard = whisper.log_mel_spectrogram(sound, n_mels=model.dims.n_mels).to(model.device)
print(whisper.decode(model, heard, whisper.DecodingOptions(language="en", sample_len=8)).text[:80])
