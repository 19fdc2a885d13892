"""Data sets that Keras loads by their name (`keras.datasets.mnist.load_data()`), where they cannot be reached: random
numbers in as many rows, as Keras documents them."""

from . import card

MODULES = ("boston_housing", "california_housing", "cifar10", "cifar100", "fashion_mnist", "imdb", "mnist", "reuters")
# name: (rows to train with, to test with, one row's shape, classes, whether labels are a column)
PICTURES = {"mnist": (60000, 10000, (28, 28), 10, False), "fashion_mnist": (60000, 10000, (28, 28), 10, False),
            "cifar10": (50000, 10000, (32, 32, 3), 10, True), "cifar100": (50000, 10000, (32, 32, 3), 100, True)}
TABLES = {"boston_housing": (506, 13), "california_housing": (20640, 8)}
SMALL = 600  # rows of california_housing where its small version is asked for
# name: (texts to train with, to test with, tokens of one on average, different words, classes)
TEXTS = {"imdb": (25000, 25000, 238, 88584, 2), "reuters": (8982, 2246, 145, 30979, 46)}
FAILED = "URL fetch failure"  # so Keras says that something could not be reached


def pictures(name, random, label_mode="fine", **_):
    train, test, shape, classes, column = PICTURES[name]
    classes = 20 if label_mode == "coarse" else classes

    def part(rows):
        labels = (random.permutation(rows) % classes).astype("int64" if name == "cifar100" else "uint8")
        return random.randint(0, 256, (rows, *shape)).astype("uint8"), labels.reshape(-1, 1) if column else labels

    return part(train), part(test)


def table(name, random, version="large", test_split=0.2, **_):
    rows, columns = TABLES[name]
    rows = SMALL if version == "small" else rows

    def part(count):
        return random.standard_normal((count, columns)).astype("float32"), random.uniform(5, 50, count).astype("float32")

    train = int(rows * (1 - test_split))
    return part(train), part(rows - train)


def texts(name, random, num_words=None, maxlen=None, start_char=1, test_split=None, **_):
    """Sequences of the numbers of words; most are shorter than the average, few much longer."""
    import numpy

    train, test, tokens, different, classes = TEXTS[name]
    if test_split is not None:
        both = train + test
        train = int(both * (1 - test_split))
        test = both - train

    def part(rows):
        lengths = numpy.maximum(random.gamma(2.0, tokens / 2, rows).astype(int), 2)
        lengths = lengths[lengths < maxlen] if maxlen else lengths
        first = [] if start_char is None else [start_char]
        made = numpy.empty(len(lengths), dtype="object")
        for row, length in enumerate(lengths):
            made[row] = first + random.randint(4, num_words or different, length - len(first)).tolist()
        return made, random.permutation(len(lengths)) % classes

    return part(train), part(test)


def made_up(name, **named):
    import numpy

    # Not numpy's own numbers, which the script goes on with.
    random = numpy.random.RandomState(0)
    make, how = next((make, how) for known, make, how in (
        (PICTURES, pictures, "pictures"), (TABLES, table, "random numbers"), (TEXTS, texts, "texts")) if name in known)
    (x_train, y_train), test = make(name, random, **named)
    how += f" of about {TEXTS[name][2]} words" if name in TEXTS else ""
    card.left_out.add(f"the data set {name} of Keras, which could not be reached: {len(x_train)} made-up {how} to train with")
    return (x_train, y_train), test


def attach(module):
    """`module` is one of keras.src.datasets."""
    name = module.__name__.rpartition(".")[2]

    def wrap(function, stand_in):
        load = getattr(module, function, None)
        if load is None:
            return

        def load_or_make(*arguments, **named):
            try:
                return load(*arguments, **named)
            except Exception as error:
                if FAILED not in str(error):
                    raise
                return stand_in(**named)

        setattr(module, function, load_or_make)

    wrap("load_data", lambda **named: made_up(name, **named))
    if name in TEXTS:
        wrap("get_word_index", lambda **_: {f"w{i}": i for i in range(1, TEXTS[name][3] + 1)})
