"""Rows of made-up data sets (data_sets.py) in the hands of a script: those that it picks by number, columns that it removes,
and rows that stand there more than once, so that a schedule by the length of the data set finds one."""

import re

from . import card

MADE_UP = "rows made up for a rehearsal"
FEWEST_OF_A_SHARE = 512
SHARE = re.compile(r"(?:^|\+)\s*([\w.]+)\[(?:(-?\d+)%)?:(?:(-?\d+)%)?\]")
any_made_up = []  # something, where this process has such rows: those that a script makes of them may not know it


def repeated(made, count):
    """The rows of `made` again and again, `count` in all: numbers alone, no memory of each."""
    return made.select([i % len(made) for i in range(count)]) if count > len(made) else made


def as_many_as_shares_take(words, rows):
    """How many rows each split has of which "train[:1%]" takes a share: a set of which somebody takes a hundredth has more
    than are made up, and the share has enough of them for some steps. `rows`: how many each split has without that."""
    found = {}
    for split, *ends in SHARE.findall(words):
        low, high = (int(end) if end else whole for end, whole in zip(ends, (0, 100)))
        share = (high if high >= 0 else 100 + high) - (low if low >= 0 else 100 + low)
        if 0 < share < 100 and split in rows:
            enough = min(rows[split], FEWEST_OF_A_SHARE)
            found[split] = max(found.get(split, rows[split]), -(-100 * enough // share))
    return found


def first_places(numbers):
    """(place of each different row, which of those stands at each place); (None, None) where most rows differ."""
    places, turn = {}, {}
    for place, number in enumerate(numbers):
        if number not in places:
            turn[number] = len(places)
            places[number] = place
    if 2 * len(places) > len(numbers):
        return None, None
    return list(places.values()), [turn[number] for number in numbers]


def sizes_that_there_are(count, *sizes):
    """Sizes of parts of `count` rows where a script asks for more of them in all: as shares of one another."""
    numbers = [size for size in sizes if isinstance(size, int)]
    if sum(numbers) < count:
        return sizes
    whole = sum(numbers) if len(numbers) > 1 else 2 * sum(numbers)  # half of them go to the part that has no size
    return [max(1, size * count // whole) if isinstance(size, int) else size for size in sizes]


def picks(function=None, **_):
    """Whether a filter asks, which wants the place of each row that it keeps."""
    return "get_indices_from_mask" in getattr(getattr(function, "func", None), "__name__", "")


def attach_rows(module):
    """`module` is datasets.arrow_dataset. Made-up rows are fewer than those of the data set: of the rows that a script
    picks by number it gets those that there are; where none of them is, as many from the beginning; parts of so many are
    smaller. Columns that were not made up are gone when a script removes them. What is made of each row is made once of
    each different one."""
    kind = module.Dataset
    pick, remove, make, part, stream = kind.select, kind.remove_columns, kind.map, kind.train_test_split, kind.to_iterable_dataset

    def select(self, indices, *arguments, **named):
        if (any_made_up or self.info.description == MADE_UP) and len(self):
            wanted = list(indices)
            there = [i for i in wanted if -len(self) <= i < len(self)]
            behind_all = isinstance(indices, range) and not wanted and indices.start >= len(self)
            indices = range(len(self)) if behind_all else there or [i % len(self) for i in wanted]
        return pick(self, indices, *arguments, **named)

    def remove_columns(self, column_names, *arguments, **named):
        if self.info.description == MADE_UP:
            names = [column_names] if isinstance(column_names, str) else column_names
            column_names = [name for name in names if name in self.column_names]
        return remove(self, column_names, *arguments, **named)

    def map_once(self, *arguments, **named):
        if self.info.description != MADE_UP or self._indices is None or picks(*arguments[:1], **named):
            return make(self, *arguments, **named)
        places, turns = first_places(self._indices.column(0).to_pylist())
        if places is None:
            return make(self, *arguments, **named)
        made = make(pick(self, places), *arguments, **named)
        if len(made) == len(places):
            return pick(made, turns)
        return repeated(made, len(made) * len(turns) // len(places))  # rows that became more or fewer

    def train_test_split(self, test_size=None, train_size=None, **named):
        if any_made_up or self.info.description == MADE_UP:
            test_size, train_size = sizes_that_there_are(len(self), test_size, train_size)
        return part(self, test_size, train_size, **named)

    def to_iterable_dataset(self, *arguments, **named):
        made = stream(self, *arguments, **named)
        if self.info.description == MADE_UP:  # which the stream forgets
            made.info.description = MADE_UP
        return made

    kind.select, kind.remove_columns, kind.map, kind.train_test_split = select, remove_columns, map_once, train_test_split
    kind.to_iterable_dataset = to_iterable_dataset


def attach_streams(module):
    """`module` is datasets.iterable_dataset. Scripts part a stream by counts that suit the real one, which has more rows than
    are made up: none are left out, so that no part is empty."""
    kind = module.IterableDataset
    skip = kind.skip

    def skip_none(self, n):
        if MADE_UP not in (self.info.description or ""):  # of several that were joined
            return skip(self, n)
        card.left_out.add("rows that a script leaves out of a made-up stream, which stay in it")
        return skip(self, 0)

    kind.skip = skip_none
