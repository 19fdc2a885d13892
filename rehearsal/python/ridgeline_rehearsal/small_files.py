"""Pictures, sounds and fonts that a script fetches by their address, where that cannot be reached. What a picture shows
moves no kernel; how large it is may, and is told."""

import io
import os
import pathlib
import sysconfig
import urllib.parse

from . import card

PICTURE = (640, 480)  # as those of COCO, which most examples fetch one of
SECONDS, RATE = 10, 16000
PICTURES = {".jpg": "JPEG", ".jpeg": "JPEG", ".png": "PNG", ".webp": "WEBP", ".bmp": "BMP"}
FONTS = (".ttf", ".otf")
FOLDERS_OF_FONTS = ("/usr/share/fonts", "/usr/local/share/fonts")


def picture(kind):
    from PIL import Image

    file = io.BytesIO()
    Image.new("RGB", PICTURE, (120, 130, 140)).save(file, kind)
    return file.getvalue()


def sound():
    import wave

    file = io.BytesIO()
    with wave.open(file, "wb") as to:
        to.setnchannels(1), to.setsampwidth(2), to.setframerate(RATE)
        to.writeframes(bytes(2 * SECONDS * RATE))
    return file.getvalue()


def font():
    """Any font of this machine: Matplotlib brings its own."""
    for folder in (os.path.join(sysconfig.get_path("purelib"), "matplotlib", "mpl-data", "fonts", "ttf"), *FOLDERS_OF_FONTS):
        for found in sorted(pathlib.Path(folder).rglob("*.ttf")):
            return found.read_bytes()
    return None


def made_up(address):
    """What stands for the file at an address, the same in every pass; None for kinds that cannot be made up."""
    end = os.path.splitext(urllib.parse.urlparse(address).path.lower())[1]
    if end in PICTURES:
        told, body = f"the picture {address}", picture(PICTURES[end])
        how = f"one of {PICTURE[0]} x {PICTURE[1]}"
    elif end == ".wav":
        told, body, how = f"the sound {address}", sound(), f"{SECONDS} s of silence"
    elif end in FONTS:
        told, body, how = f"the font {address}", font(), "another one"
    else:
        return None
    if body is not None:
        card.left_out.add(f"{told}, which could not be reached: {how}")
    return body
