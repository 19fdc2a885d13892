"""What a person or a pipe answers to a script that asks (`input`): the first pass hears it, the next one gets the same."""

import builtins
import json

FILE = "answers.txt"


def attach(settings):
    ask, heard = builtins.input, []

    def answer(prompt="", /):
        file = settings.recorded / FILE
        known = json.loads(file.read_text()) if settings.kind != "values" and file.exists() else []
        heard.append(known[len(heard)] if len(heard) < len(known) else ask(prompt))
        if settings.kind == "values":
            file.write_text(json.dumps(heard))
        return heard[-1]

    builtins.input = answer
