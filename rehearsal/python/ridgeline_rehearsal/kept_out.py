"""A script goes on with a file that it saved: it renames it to `last.pt`, measures, copies, opens or removes it. What was
kept out of its place (saves.py) is found under the name that the script gave it; the user's own file of that name stays."""

import functools
import os

LOOKS = ("stat", "lstat", "access", "remove", "unlink", "chmod", "utime")  # of `os`, by the path alone
SETS = ("supports_dir_fd", "supports_fd", "supports_follow_symlinks", "supports_effective_ids")


class KeptOut:
    """Actions of Python on files, by the places of a `saves.Redirected`."""

    def __init__(self, redirected):
        self.places, self.redirected = redirected.places, redirected

    def known(self, file):
        """The name under which a file was kept out of its place; None of any other."""
        if not isinstance(file, (str, os.PathLike)):
            return None
        path = os.path.abspath(os.fspath(file))
        return path if path in self.places else None

    def there(self, file):
        path = self.known(file)
        return file if path is None else self.places[path]

    @staticmethod
    def of_open_folder(path, named, *keys):
        """Whether a name is one of a folder that is open, as those of `shutil.rmtree` are, and none of the current one."""
        return any(named.get(key) is not None for key in keys) and not os.path.isabs(os.fspath(path))

    def inside(self, folder):
        """The files that were kept out of a folder."""
        if not isinstance(folder, (str, os.PathLike)):
            return []
        above = os.path.join(os.path.abspath(os.fspath(folder)), "")
        return [path for path in self.places if path.startswith(above)]

    def look(self, action, gone=False):
        @functools.wraps(action)
        def done(path, *arguments, **named):
            saved = None if self.of_open_folder(path, named, "dir_fd") else self.known(path)
            if saved is None:
                return action(path, *arguments, **named)
            named.pop("dir_fd", None)
            answer = action(self.places[saved], *arguments, **named)
            if gone:
                self.places.pop(saved, None)
            return answer

        return done

    def move(self, action):
        @functools.wraps(action)
        def moved(source, target, *arguments, **named):
            if self.of_open_folder(source, named, "src_dir_fd", "dst_dir_fd"):
                return action(source, target, *arguments, **named)
            saved = self.known(source)
            if saved is None:
                inside = self.inside(source)
                answer = action(source, target, *arguments, **named)
                self.places.pop(self.known(target), None)  # another file has that name now
                for path in inside:  # of a folder that has another name now
                    moved_to = os.path.join(os.path.abspath(os.fspath(target)), os.path.relpath(path, os.path.abspath(os.fspath(source))))
                    self.places[moved_to] = self.places.pop(path)
                return answer
            action(self.places[saved], self.redirected.target(target, told=False))
            del self.places[saved]
            return None

        return moved

    def copy(self, action, link, remove):
        """A second name does for a copy: neither has contents."""
        @functools.wraps(action)
        def copied(source, target, *arguments, **named):
            saved = None if self.of_open_folder(source, named, "src_dir_fd", "dst_dir_fd") else self.known(source)
            if saved is None:
                return action(source, target, *arguments, **named)
            to = self.redirected.target(target)
            if os.path.lexists(to) and to != self.places[saved]:
                remove(to)
            if to != self.places[saved]:
                link(self.places[saved], to)
            return target

        return copied

    def unless_saved(self, action):
        """Permissions and times of a copy are those of the first."""
        @functools.wraps(action)
        def copied(source, target, *arguments, **named):
            return None if self.known(source) else action(source, target, *arguments, **named)

        return copied

    def clear(self, action):
        @functools.wraps(action)
        def cleared(path, *arguments, **named):
            inside = self.inside(path)
            action(path, *arguments, **named)
            for one in inside:
                self.places.pop(one, None)

        return cleared

    def open(self, action):
        @functools.wraps(action)
        def opened(file, mode="r", *arguments, **named):
            reads = isinstance(mode, str) and not set(mode) & set("wax+")
            return action(self.there(file) if reads else file, mode, *arguments, **named)

        return opened


def attach(redirected, system, files, names, streams):
    """`system` is os, `files` shutil; `names` (builtins) and `streams` (io) have `open`."""
    kept = KeptOut(redirected)
    link, remove = system.link, system.remove
    made = {name: kept.look(getattr(system, name), gone=name in ("remove", "unlink")) for name in LOOKS}
    made.update({name: kept.move(getattr(system, name)) for name in ("rename", "replace")}, link=kept.copy(link, link, remove))
    for name, action in made.items():
        for one in (getattr(system, which, set()) for which in SETS):
            if getattr(system, name) in one:  # libraries ask whether a function of `os` takes an open folder
                one.add(action)
        setattr(system, name, action)
    files.copyfile = kept.copy(files.copyfile, link, remove)
    files.copymode, files.copystat = kept.unless_saved(files.copymode), kept.unless_saved(files.copystat)
    files.rmtree = kept.clear(files.rmtree)
    names.open = streams.open = kept.open(names.open)
