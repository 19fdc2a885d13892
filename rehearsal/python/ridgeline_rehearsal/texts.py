"""What a script fetches by its address, where that cannot be reached: made-up sentences for plain texts, rows of known data
sets, small files. What texts say moves no kernel; a vocabulary of characters is about that of English prose."""

import io
import json
import mimetypes
import random
import re
import sys
import urllib.parse

from . import archives, card, small_files
from .data_sets import WORDS, Maker, columns_in_name
from .places import is_library

CHARACTERS, ROWS = 1 << 20, 2000
# Rows to test with are gone through one by one, by loops that no loader ends.
TESTED, ROWS_TESTED = re.compile(r"(?:^|[-_./])(?:val|valid|validation|dev|test|eval)(?=$|[-_./])"), 100
# Different words of texts that models of words are trained on, each a row of their tables (arXiv 1609.07843).
VOCABULARIES = {"wikitext-2": 33278, "wikitext-103": 267735, "ptb": 10000, "penn": 10000}
ENDS = (".", ".", ".", "!", "?", ";", ":", ",", ", and", "'s", " - ")


def rows_named(address):
    """The columns of the known data set whose name a list of rows (.json, .jsonl) has by its address; None for others."""
    path = urllib.parse.urlparse(address).path
    return columns_in_name(path) if path.lower().endswith((".json", ".jsonl")) else None


def is_data_set(frame):
    """Whether a frame is one of a package's own data set, which knows what its files hold: prose would be none of that."""
    if not is_library(frame.f_code.co_filename):
        return False
    if "datasets" in str(frame.f_globals.get("__name__")).split(".")[1:]:  # torch_geometric.datasets.amazon_book
        return True
    kind = getattr(sys.modules.get("torch.utils.data"), "Dataset", None)
    names = frame.f_code.co_varnames[:1]
    return kind is not None and names == ("self",) and isinstance(frame.f_locals.get("self"), kind)


def asked_by_a_data_set():
    """Whether a data set of a package stands between the script and the address."""
    frame = sys._getframe(1)
    while frame is not None and not is_data_set(frame):
        frame = frame.f_back
    return frame is not None


def made_up(address):
    """What stands for the file at an address, the same in every pass; None where that cannot be made up for the one that
    asks."""
    columns = rows_named(address)
    is_prose = urllib.parse.urlparse(address).path.lower().endswith(".txt")
    if columns is None and not is_prose:
        return archives.made_up(address) or small_files.made_up(address)
    if asked_by_a_data_set() and not (is_prose and vocabulary_of(address)):
        return None
    return sentences(address) if columns is None else rows(address, columns)


def rows(address, columns):
    makers = {name: Maker(kind) for name, kind in columns.items() if isinstance(kind, str)}
    count = ROWS_TESTED if TESTED.search(urllib.parse.urlparse(address).path.lower()) else ROWS
    made = [{name: maker.value(row) for name, maker in makers.items()} for row in range(count)]
    card.left_out.add(f"the rows {address}, which could not be reached: {count} made-up ones")
    lines = address.lower().endswith("l")
    return ("\n".join(map(json.dumps, made)) if lines else json.dumps(made)).encode()


def vocabulary_of(address):
    """How many different words a text has that is known by its address; 0 for others."""
    parts = re.split(r"[/.]", urllib.parse.urlparse(address).path.lower())
    return next((count for name, count in VOCABULARIES.items() if name in parts), 0)


def sentences(address):
    """About a million characters, more where a known text has more words."""
    chosen, length, own = random.Random(address), 0, range(len(WORDS), vocabulary_of(address))
    lines = [" ".join(f"w{word}" for word in own[at : at + 10]) for at in range(0, len(own), 10)]
    while length < CHARACTERS:
        words = chosen.choices(WORDS, k=chosen.randint(3, 12))
        if own:
            lines.append(" ".join(words))
            length += len(lines[-1]) + 1
            continue
        words[0] = words[0].capitalize()
        if chosen.random() < 0.1:
            words.append(chosen.choice((chosen.choice(WORDS).upper(), str(chosen.randint(0, 1999)), "quiz", "jazz", "Zoe")))
        lines.append(" ".join(words) + chosen.choice(ENDS))
        length += len(lines[-1]) + 1
    card.left_out.add(f"the text {address}, which could not be reached: a million characters of made-up sentences")
    return ("\n".join(lines) + "\n").encode()


def content_type(address):
    return mimetypes.guess_type(urllib.parse.urlparse(address).path)[0] or "application/octet-stream"


def attach_urllib(module):
    """`module` is urllib.request; some open addresses by an opener of their own."""
    fetch, ask = module.urlopen, module.OpenerDirector.open

    def ask_told(self, fullurl, *arguments, **named):
        try:
            return ask(self, fullurl, *arguments, **named)
        except OSError as error:
            error.asked = fullurl if isinstance(fullurl, str) else fullurl.full_url  # its words alone do not say it
            raise

    def urlopen(url, *arguments, **named):
        try:
            return fetch(url, *arguments, **named)
        except OSError as error:
            address = url if isinstance(url, str) else url.full_url
            body = None if isinstance(error, module.HTTPError) else made_up(address)
            if body is None:
                error.asked = address
                raise
        import email.message

        head = email.message.Message()
        head["Content-Type"], head["Content-Length"] = f"{content_type(address)}; charset=utf-8", str(len(body))
        return module.addinfourl(io.BytesIO(body), head, address, 200)

    module.urlopen, module.OpenerDirector.open = urlopen, ask_told


def attach_fsspec(module):
    """`module` is fsspec.core, whose files by their address are opened where a script enters them."""
    enter = module.OpenFile.__enter__

    def enter_or_make(self):
        try:
            return enter(self)
        except OSError as error:
            address = str(self.path)
            if not re.match("https?://", address) or "r" not in self.mode:
                raise
            error.asked = address
            content = made_up(address)
            if content is None:
                raise
        body = io.BytesIO(content)
        return body if "b" in self.mode else io.TextIOWrapper(body, self.encoding or "utf-8", self.errors, self.newline)

    module.OpenFile.__enter__ = enter_or_make


class Body(io.BytesIO):
    """What an answer holds, with the switch that scripts set before they read it as a file."""

    decode_content = True

    def stream(self, amt=1 << 16, decode_content=None):
        """Part by part, as urllib3's answers have it."""
        return iter(lambda: self.read(amt), b"")


def attach_requests(module):
    """`module` is requests.sessions."""
    send = module.Session.send

    def send_or_make(self, request, **named):
        try:
            return send(self, request, **named)
        except OSError as error:
            body = made_up(request.url)
            if body is None:
                error.asked = request.url
                raise
        from requests.models import Response

        answer = Response()
        answer.status_code, answer.url, answer.request, answer.encoding = 200, request.url, request, "utf-8"
        answer.headers["Content-Type"], answer.headers["Content-Length"] = content_type(request.url), str(len(body))
        answer.raw = Body(body)
        return answer

    module.Session.send = send_or_make


def attach_httpx(module):
    """`module` is httpx, by whose `get` Transformers opens pictures and sounds."""
    fetch = module.get

    def get_or_make(url, *arguments, **named):
        try:
            return fetch(url, *arguments, **named)
        except module.TransportError as error:
            body = made_up(str(url))
            if body is None:
                error.asked = str(url)
                raise
        return module.Response(200, headers={"Content-Type": content_type(str(url))}, content=body,
                               request=module.Request("GET", url))

    module.get = get_or_make


PUNKT = "tokenizers/punkt"


class NotThere(str):
    """A place of NLTK's data that answers those who only ask for it, and holds nothing for those who read."""

    def open(self, *_, **__):
        raise LookupError(self)

    join = file_size = open


def attach_nltk_data(module):
    """`module` is nltk.data: scripts look for the rules by which sentences are parted and end where they are missing."""
    find = module.find

    def find_or_make(resource_name, *arguments, **named):
        try:
            return find(resource_name, *arguments, **named)
        except LookupError:
            if not resource_name.startswith(PUNKT):
                raise
            card.left_out.add("NLTK's rules of sentences, which are not on this machine: parted at full stops")
            return NotThere(resource_name)

    module.find = find_or_make


def attach_nltk_tokenize(module):
    """`module` is nltk.tokenize."""
    part = module.sent_tokenize

    def sent_tokenize(text, language="english"):
        try:
            return part(text, language)
        except (LookupError, OSError):
            return re.findall(r"\S.*?(?:[.!?]+(?=\s)|$)", text, re.DOTALL)

    module.sent_tokenize = sent_tokenize
