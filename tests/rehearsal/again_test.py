#!/usr/bin/env python3
"""The copy of a process that goes on as the second pass, without PyTorch: again_test.py SOURCE."""

import os
import pathlib
import sys
import tempfile
import threading
import types
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(sys.argv[1]).resolve() / "rehearsal" / "python"))

from ridgeline_rehearsal import again  # noqa: E402


class Copies(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def test_an_open_file_has_its_own_place_afterwards(self):
        (self.path / "data.txt").write_text("first second third")
        with open(self.path / "data.txt", "rb", buffering=0) as file:
            file.read(6)
            files = [entry for entry in again.open_files() if entry[0] == file.fileno()]
            shared = os.dup(file.fileno())
            again.own_places(files)
            os.lseek(shared, 0, os.SEEK_SET)  # the first process reads on
            os.close(shared)
            self.assertEqual(file.read(6), b"second")

    def test_a_process_with_threads_of_its_own_is_not_copied(self):
        end = threading.Event()
        thread = threading.Thread(target=end.wait)
        with unittest.mock.patch.object(os, "getpgrp", os.getpid):
            self.assertTrue(again.is_whole())
            thread.start()
            self.assertFalse(again.is_whole())
            end.set()
            thread.join()
            with unittest.mock.patch.dict(os.environ, {"RANK": "0"}):
                self.assertFalse(again.is_whole())

    def test_a_library_that_asks_while_it_is_imported(self):
        (self.path / "site-packages").mkdir()
        (self.path / "site-packages" / "looks_at_card.py").write_text("import sys\nasked = sys.ask(sys._getframe())\n")
        (self.path / "script.py").write_text("import looks_at_card\nlines.append('next')\n")
        lines = []
        sys.path.insert(0, str(self.path / "site-packages"))
        sys.ask = lambda frame: again.at_next_line(again.after_import(frame), lambda: lines.append("begun"))
        try:
            code = compile((self.path / "script.py").read_text(), str(self.path / "script.py"), "exec")
            exec(code, {"lines": lines})
        finally:
            del sys.path[0], sys.ask
        self.assertEqual(lines, ["begun", "next"])
        self.assertIsNone(sys.gettrace())
        self.assertIsNone(again.after_import(sys._getframe()))

    def test_a_copy_is_asked_whether_it_may_go_on(self):
        for refused in (True, False):
            torch = types.SimpleNamespace(_C=types.SimpleNamespace(_cuda_isInBadFork=lambda refused=refused: refused))
            self.assertEqual(again.try_copy(torch), not refused)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
