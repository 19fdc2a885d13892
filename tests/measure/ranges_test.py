#!/usr/bin/env python3
"""What make_ranges.py makes of a few rows, by hand."""
import math
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
sys.dont_write_bytecode = True
import carried_over  # noqa: E402
import make_ranges  # noqa: E402


class Parts:
    of = {"old": ("C1", "A"), "new": ("C1", "A"), "other": ("C2", "B")}


def kernel(fraction, **scope):
    return {"operator_class": "gemm", "compute": "bf16", "compute_fraction": fraction} | scope


class CarriedOver(unittest.TestCase):
    def test_a_part_goes_with_what_was_carried_over_from_it(self):
        rows = [kernel(0.5, accelerator="old"), kernel(0.5, chip="C1"), kernel(0.4), kernel(0.7, accelerator="other")]
        self.assertEqual(carried_over.without(rows, "old", Parts), [rows[2], rows[3]])

    def test_another_part_of_the_chip_takes_its_place(self):
        rows = [kernel(0.5, accelerator="old"), kernel(0.6, accelerator="new"), kernel(0.5, chip="C1")]
        self.assertEqual(carried_over.without(rows, "old", Parts), [rows[1], kernel(0.6, chip="C1")])

    def test_rows_without_a_chip_stay(self):
        rows = [{"accelerator": "old", "link": "a"}, {"link": "b"}]
        self.assertEqual(carried_over.without(rows, "old", Parts), [rows[1]])


class Ranges(unittest.TestCase):
    def tree(self, quantity):
        # One stack with eight groups near 0, two with one group each at 0.5 and at 1.
        rows = [(("decode", "much", "time", "p"), f"g{i}", 0.01 * i, 0.01 * i) for i in range(8)]
        rows += [(("decode", name, "time", "p"), name, x, x) for name, x in (("one", 0.5), ("two", 1.0))]
        tree = make_ranges.Tree("inference", rows)
        tree.quantity = quantity
        tree.moments_known = {}
        return tree

    def test_stacks_count_once(self):
        # Means of the stacks: 0.035, 0.5, 1; that of all groups together: (0.28 + 1.5) / 10.
        equal = self.tree("inference").moments(False, 2, ("decode", "time"))
        self.assertEqual(equal[0], 3)
        self.assertAlmostEqual(equal[1], 1.535 / 3)
        pooled = self.tree("train_time").moments(False, 2, ("decode", "time"))
        self.assertEqual(pooled[0], 10)
        self.assertAlmostEqual(pooled[1], 0.178)

    def test_what_is_less_known_has_a_wider_range(self):
        tree = self.tree("inference")
        widths = [math.log(high / low) for low, high in (tree.band(tree.rows[0][0], level) for level in range(5))]
        self.assertEqual(widths, sorted(widths, reverse=True))

    def test_the_share_that_a_quantile_holds(self):
        self.assertEqual(make_ranges.quantile([(1, 1), (3, 1), (2, 1), (4, 1)], 0.75), 3)


if __name__ == "__main__":
    unittest.main()
