"""Data sets that scikit-learn fetches by their name, where that cannot be reached: random numbers in as many rows and
columns."""

from . import card

# name: (rows, columns, classes, 0 for a number; the first class; the shape of one row as a picture)
FETCHED = {
    "california_housing": (20640, 8, 0, 0, None), "covtype": (581012, 54, 7, 1, None), "olivetti_faces": (400, 4096, 40, 0, (64, 64)),
    "lfw_people": (13233, 2914, 5749, 0, (62, 47)),
}
NAMES = {"california_housing": ("MedInc", "HouseAge", "AveRooms", "AveBedrms", "Population", "AveOccup", "Latitude", "Longitude", "MedHouseVal")}
OF_OPENML = {"mnist_784": (70000, 784, 10, 0, None), "Fashion-MNIST": (70000, 784, 10, 0, None), "CIFAR_10": (60000, 3072, 10, 0, None)}
NEWS, NEWSGROUPS, NEWS_WORDS = {"train": 11314, "test": 7532, "all": 18846}, 20, 180


def tell(name, how):
    card.left_out.add(f"the data set {name} of scikit-learn, which could not be reached: {how}")


def table(name, shape, is_pixels=False):
    """Values and what is to be foretold."""
    import numpy

    rows, columns, classes, first, _ = shape
    # Not numpy's own numbers, which the script goes on with.
    random = numpy.random.RandomState(0)
    values = random.randint(0, 256, (rows, columns)).astype("float64") if is_pixels else random.standard_normal((rows, columns))
    target = first + numpy.arange(rows) % classes if classes else random.standard_normal(rows)
    tell(name, f"{rows} rows of {columns} random numbers")
    return values, target


def bunch(name, shape, return_X_y=False, as_frame=False, is_words=False, **_):  # noqa: N803, scikit-learn's own names
    values, target = table(name, shape, is_pixels=is_words)
    more = {} if shape[4] is None else {"images": values.reshape(-1, *shape[4])}
    *names, foretold = NAMES.get(name, (*(f"x{i}" for i in range(shape[1])), "class"))
    if is_words:
        target = target.astype(str).astype(object)
    frame = None
    if as_frame:
        import pandas

        values = pandas.DataFrame(values, columns=names)
        target = pandas.Series(target, name=foretold, dtype="category" if is_words else None)
        frame = values.assign(**{foretold: target})
    if return_X_y:
        return values, target
    from sklearn.utils import Bunch

    return Bunch(data=values, target=target, frame=frame, feature_names=names, target_names=[str(i) for i in range(shape[2])], DESCR=name, **more)


def news(subset="train", categories=None, return_X_y=False, **_):  # noqa: N803
    import numpy

    from .data_sets import Maker

    names = categories or [f"group.{i}" for i in range(NEWSGROUPS)]
    count = NEWS[subset] * len(names) // NEWSGROUPS
    maker = Maker(f"text:{NEWS_WORDS}")
    texts, target = [maker.value(i) for i in range(count)], numpy.arange(count) % len(names)
    tell("20newsgroups", f"{count} texts of about {NEWS_WORDS} words")
    if return_X_y:
        return texts, target
    from sklearn.utils import Bunch

    return Bunch(data=texts, target=target, target_names=list(names), DESCR="20newsgroups")


def attach_sklearn(module):
    """`module` is sklearn.datasets."""
    def wrap(name, stand_in):
        fetch = getattr(module, name, None)
        if fetch is None:
            return

        def fetch_or_make(*arguments, **named):
            try:
                return fetch(*arguments, **named)
            except OSError:
                made = stand_in(*arguments, **named)
                if made is None:
                    raise
                return made

        setattr(module, name, fetch_or_make)

    for name, shape in FETCHED.items():
        wrap(f"fetch_{name}", lambda *_, name=name, shape=shape, **named: bunch(name, shape, **named))
    wrap("fetch_20newsgroups", lambda *_, **named: news(**named))

    def of_openml(name=None, *_, as_frame="auto", **named):
        shape = OF_OPENML.get(name)
        return shape and bunch(name, shape, as_frame=as_frame in ("auto", True), is_words=True, **named)

    wrap("fetch_openml", of_openml)
