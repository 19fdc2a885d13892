"""Tokenizers and processors of models whose own cannot be reached: pieces of up to five letters are tokens, as
many as the model has rows for, in whatever class the script asks for."""

import json
import os

from . import data_sets

CONFIGURATION, PROCESSOR, GENERATION = "config.json", "preprocessor_config.json", "generation_config.json"
TOKENIZER = ("tokenizer.json", "tokenizer_config.json")
PIECES = r"\s?\S{1,5}"
# Words that classes of tokenizers and scripts name; the last rows of a table are theirs.
NAMED = ("<|im_start|>", "<|im_end|>", "<|endoftext|>", "<|eot_id|>", "<|begin_of_text|>", "<|end_of_text|>",
         "<|start_header_id|>", "<|end_header_id|>", "<|finetune_right_pad_id|>", "<start_of_turn>", "<end_of_turn>",
         "[INST]", "[/INST]", "<|user|>", "<|assistant|>", "<|end|>", "[PAD]", "[UNK]", "<mask>", "<cls>", "<sep>",
         "<|startoftext|>", "<|pad|>", "<bos>", "<eos>", "<|startoftranscript|>", "<|notimestamps|>", "<|en|>",
         "<|transcribe|>", "<|translate|>", "<image>", "<|image_pad|>", "<|vision_start|>", "<|vision_end|>", "<|video_pad|>", "<video>",
         "<audio>", "<|AUDIO|>", "<|image|>", "<image_soft_token>", "<start_of_image>", "<end_of_image>", "<fake_token_around_image>",
         "<global-img>", "<end_of_utterance>")
TEMPLATE = ("{% for m in messages %}<s>{{ m['role'] }}\n{% if m['content'] is string %}{{ m['content'] }}{% else %}"
            "{% for p in m['content'] %}{{ p['text'] if p['type'] == 'text' else 'SHOWN' }}{% endfor %}{% endif %}</s>\n{% endfor %}")
WHOLE_PROCESSOR, WRITTEN_TEMPLATE = "processor_config.json", "chat_template.jinja"


def numbers_of(config):
    """How many rows the table of words has, and where the named ones are: {row: word}."""
    size = int(config.get("vocab_size") or (config.get("text_config") or {}).get("vocab_size") or 32000)

    def number(key, otherwise):
        value = config.get(key)
        value = value[0] if isinstance(value, list) and value else value
        return value if isinstance(value, int) and 0 <= value < size else otherwise

    places = {number("bos_token_id", 1): "<s>", number("eos_token_id", 2): "</s>", number("pad_token_id", 3): "<pad>"}
    places.update(pictures_in(config))
    if isinstance(config.get("video_token_id"), int):
        places[config["video_token_id"]] = "<|video_pad|>"
    for word in ("<unk>", "[CLS]", "[SEP]", "[MASK]"):
        places[next(i for i in range(size) if i not in places)] = word
    free = (i for i in range(size - 1, 0, -1) if i not in places)
    for word in NAMED if size > 1000 else ():
        if word not in places.values():
            places[next(free)] = word
    return size, places


def pictures_in(config):
    """The words that stand for a picture in a text, in their order: {row: word}."""
    words = {"vision_start_token_id": "<|vision_start|>", "image_token_id": "<|image_pad|>", "vision_end_token_id": "<|vision_end|>"}
    if "vision_start_token_id" not in config:
        words = {key: "<image>" for key in ("image_token_index", "image_token_id") if key in config}
    return {config[key]: word for key, word in words.items() if isinstance(config.get(key), int)}


def chats(config):
    """Whether a model may have been taught to chat, so that its tokenizer has a template: not those that fill in words."""
    try:
        from transformers.models.auto.modeling_auto import MODEL_FOR_MASKED_LM_MAPPING_NAMES
    except ImportError:
        return True
    return config.get("model_type") not in MODEL_FOR_MASKED_LM_MAPPING_NAMES


def template_of(config):
    return TEMPLATE.replace("SHOWN", "".join(pictures_in(config).values()))


def table_of(size, places):
    """{word: row}: what the made-up texts are made of, then words that nobody writes."""
    pieces = [before + word[at : at + 5] for word in data_sets.WORDS for at in (0, 5) for before in ("", " ")
              if word[at:] and not (at and before)]
    pieces = iter(dict.fromkeys(pieces))
    return {places.get(i) or next(pieces, f"w{i}"): i for i in range(size)}


def pads(config):
    """Whether a model's own tokenizer has a word to pad with: where its class of configuration names one. Qwen's has one
    that its configuration does not name; GPT-2's and Llama's have none."""
    kind = config.get("model_type") or ""
    if config.get("pad_token_id") is not None or kind.startswith("qwen"):
        return True
    try:
        from transformers import CONFIG_MAPPING
    except ImportError:
        return False
    made = CONFIG_MAPPING[kind]() if kind in CONFIG_MAPPING else None  # of words and pictures: that of the words
    return any(getattr(one, "pad_token_id", None) is not None for one in (made, getattr(made, "text_config", None)))


def class_of(config):
    """The class that a configuration's kind names for its tokenizer, as the files of the hub do."""
    try:
        from transformers.models.auto.tokenization_auto import TOKENIZER_MAPPING_NAMES
    except ImportError:
        return {}
    found = TOKENIZER_MAPPING_NAMES.get(config.get("model_type"))
    found = found if isinstance(found, str) else next((name for name in found or () if name), None)
    return {"tokenizer_class": found} if found else {}


def write_tokenizer(folder, write, with_class=False):
    """The files of a tokenizer for the configuration in this folder; those that read them without Transformers ask its class."""
    config = json.loads((folder / CONFIGURATION).read_text())
    size, places = numbers_of(config)
    words = table_of(size, places)
    roles = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "cls_token": "[CLS]",
             "sep_token": "[SEP]", "mask_token": "[MASK]"}
    roles = {role: word for role, word in roles.items() if word in words}
    if pads(config):
        roles["pad_token"] = "<pad>"
    added = [{"id": row, "content": word, "single_word": False, "lstrip": False, "rstrip": False,
              "normalized": False, "special": True} for row, word in sorted(places.items())]
    pieces = {"type": "Split", "pattern": {"Regex": PIECES}, "behavior": "Isolated", "invert": False}
    write(folder / TOKENIZER[0], json.dumps({
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": added,
        "normalizer": None, "pre_tokenizer": pieces, "post_processor": None, "decoder": None,
        "model": {"type": "WordLevel", "vocab": words, "unk_token": "<unk>"}}))
    longest = int(config.get("max_position_embeddings") or config.get("n_positions") or 2048)
    template = {"chat_template": template_of(config)} if chats(config) else {}
    write(folder / TOKENIZER[1], json.dumps(
        {**(class_of(config) if with_class else {}), **roles, "model_max_length": longest, **template}))


def sizes_like(kind, side):
    """To what a class makes pictures, with the side that the model looks at; nothing where it takes any size."""
    size = getattr(kind, "size", None)
    if not isinstance(side, int) or not isinstance(size, dict):
        return {}
    squares = getattr(kind, "max_image_size", None)
    if isinstance(squares, dict) and set(squares) == set(size) == {"longest_edge"}:  # a picture is cut into as many of them
        return {"size": {"longest_edge": size["longest_edge"] // squares["longest_edge"] * side}, "max_image_size": {"longest_edge": side}}
    whole = {"height": side, "width": side}
    if set(size) == {"shortest_edge"}:
        return {"size": {"shortest_edge": side}, "crop_size": whole}
    return {"size": whole} if set(size) == {"height", "width"} else {}


def write_processor(folder, write):
    """What makes inputs of pictures or sound, as the model's kind has it when nobody says otherwise."""
    import transformers
    import transformers.models.auto.feature_extraction_auto as sounds
    import transformers.models.auto.image_processing_auto as pictures

    config = json.loads((folder / CONFIGURATION).read_text())
    kind, made = config["model_type"], {}
    found = getattr(pictures, "IMAGE_PROCESSOR_MAPPING_NAMES", {}).get(kind)
    if isinstance(found, dict):
        found = found.get("torchvision") or next(iter(found.values()))
    elif isinstance(found, (tuple, list)):
        found = next((name for name in found if name), None)
    if found:
        made["image_processor_type"] = found
        if kind in ("vit", "deit", "beit", "swin") and config.get("image_size"):
            made["size"] = {"height": config["image_size"], "width": config["image_size"]}
        made.update(sizes_like(getattr(transformers, found, None), (config.get("vision_config") or {}).get("image_size")))
    heard = getattr(sounds, "FEATURE_EXTRACTOR_MAPPING_NAMES", {}).get(kind)
    if heard:
        made["feature_extractor_type"] = heard
    if made:
        write(folder / PROCESSOR, json.dumps(made))


def tokens_of_a_square(config):
    """How many tokens stand for one square of a picture where a model puts several patches into each; None of others."""
    seen, together = config.get("vision_config") or {}, config.get("scale_factor")
    if not all(isinstance(number, int) for number in (together, seen.get("image_size"), seen.get("patch_size"))):
        return None
    return (seen["image_size"] // seen["patch_size"]) ** 2 // together**2


def write_whole_processor(folder, write):
    """What makes texts and pictures into inputs together: fields that its class takes, as the configuration has them."""
    import inspect

    import transformers
    from transformers.models.auto.processing_auto import PROCESSOR_MAPPING_NAMES

    config = json.loads((folder / CONFIGURATION).read_text())
    name = PROCESSOR_MAPPING_NAMES.get(config.get("model_type"))
    if not name or not pictures_in(config) or (folder / WHOLE_PROCESSOR).exists():
        return
    known = {"patch_size": (config.get("vision_config") or {}).get("patch_size"), "num_additional_image_tokens": 1,
             "vision_feature_select_strategy": config.get("vision_feature_select_strategy"), "image_seq_len": tokens_of_a_square(config)}
    taken = inspect.signature(getattr(transformers, name).__init__).parameters
    made = {key: value for key, value in known.items() if key in taken and value is not None}
    write(folder / WRITTEN_TEMPLATE, template_of(config))
    write(folder / WHOLE_PROCESSOR, json.dumps({"processor_class": name, **made}))


def write_generation(folder, write):
    """How Whisper writes: which rows of its table are languages and tasks. Other models generate by their configuration."""
    config = json.loads((folder / CONFIGURATION).read_text())
    if config.get("model_type") != "whisper" or (folder / GENERATION).exists():
        return
    from transformers.models.whisper.tokenization_whisper import LANGUAGES

    times, tasks = 1501, 6  # steps of 20 ms of half a minute; translate, transcribe, startoflm, startofprev, nospeech, notimestamps
    english, languages = config["vocab_size"] < 51865, list(LANGUAGES)[: 100 if config["vocab_size"] > 51865 else 99]
    first_task = config["vocab_size"] - times - tasks
    start = first_task - len(languages) - 1
    made = {"decoder_start_token_id": start, "bos_token_id": start - 1, "eos_token_id": start - 1, "pad_token_id": start - 1,
            "begin_suppress_tokens": [220, start - 1], "suppress_tokens": [], "no_timestamps_token_id": first_task + 5,
            "prev_sot_token_id": first_task + 3, "max_length": config.get("max_target_positions", 448),
            "is_multilingual": not english, "return_timestamps": False}
    if not english:
        made["lang_to_id"] = {f"<|{language}|>": start + 1 + turn for turn, language in enumerate(languages)}
        made["task_to_id"] = {"translate": first_task, "transcribe": first_task + 1}
    write(folder / GENERATION, json.dumps(made))


def take_pieces(made, file):
    """A class that makes its own of a vocabulary (byte pairs, sentence pieces) splits into our pieces all the same."""
    from tokenizers import Tokenizer

    own = getattr(made, "_tokenizer", None)
    if own is None:
        return
    pieces = Tokenizer.from_file(file)
    if own.post_processor is not None:  # [CLS] ... [SEP] and the like
        pieces.post_processor = own.post_processor
    made._tokenizer = pieces


def attach_tokenizers(module, settings):
    """`module` is transformers.tokenization_utils_base; every class is loaded by its _from_pretrained."""
    base = module.PreTrainedTokenizerBase
    load = base._from_pretrained.__func__
    shelf = str(settings.libraries.parent / "hub") + os.sep

    def _from_pretrained(cls, files, *arguments, **named):
        file = str(files.get("tokenizer_file") or "")
        if not file.startswith(shelf):
            return load(cls, files, *arguments, **named)
        try:
            made = load(cls, dict(files), *arguments, **named)
        except Exception:  # a class that needs files of its own kind, such as sentence pieces
            from transformers import PreTrainedTokenizerFast

            made = load(PreTrainedTokenizerFast, files, *arguments, **named)
            made.model_input_names = list(cls.model_input_names)  # some models take no types of tokens
            return made
        take_pieces(made, file)
        return made

    base._from_pretrained = classmethod(_from_pretrained)
