#!/usr/bin/env python3
"""Writes what the program is made of as SPDX 2.3 JSON: the packages of Debian that it links and those
whose headers are compiled in. The same packages give the same bytes.

Usage: write_sbom.py VERSION OUTPUT BINARY...
"""
import datetime
import hashlib
import json
import os
import re
import subprocess
import sys

COMPILED_IN = ["libcli11-dev", "libexpected-dev", "nlohmann-json3-dev"]
LICENCES = {
    "libc6": "LGPL-2.1-or-later", "libgcc-s1": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libstdc++6": "GPL-3.0-or-later WITH GCC-exception-3.1", "libfmt9": "MIT",
    "nlohmann-json3-dev": "MIT", "libcli11-dev": "BSD-3-Clause", "libexpected-dev": "CC0-1.0",
    "libtomlplusplus-dev": "MIT", "liblzma5": "LicenseRef-liblzma",
}
# A document must hold the words of a licence that SPDX has no name for.
OTHER_LICENCES = {"LicenseRef-liblzma": "liblzma is in the public domain."}


def printed(*words):
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


def linked_packages(binaries):
    """Names of the packages that bring the libraries which binaries name themselves."""
    found = set()
    for binary in binaries:
        needed = set(re.findall(r"NEEDED\s+(\S+)", printed("objdump", "-p", binary)))
        for name, path in re.findall(r"(\S+) => (/\S+)", printed("ldd", binary)):
            if name in needed:
                # Debian 12 records the files of /lib below either name.
                for place in (os.path.realpath(path), os.path.realpath(path).removeprefix("/usr"), path):
                    owner = printed("dpkg-query", "-S", place)
                    if owner:
                        found.add(owner.split(":")[0])
                        break
    return found


def package(name, relation_of, relations):
    version = printed("dpkg-query", "-W", "-f=${Version}", name)
    if not version:
        return None
    licence = LICENCES.get(name, "NOASSERTION")
    identity = "SPDXRef-Package-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)
    relations.append({"spdxElementId": "SPDXRef-Package-ridgeline", "relationshipType": relation_of,
                      "relatedSpdxElement": identity})
    return {"SPDXID": identity, "name": name, "versionInfo": version,
            "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION",
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                              "referenceLocator": f"pkg:deb/debian/{name}@{version}"}]}


def main():
    version, output, *binaries = sys.argv[1:]
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
    moment = datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc)
    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                  "relatedSpdxElement": "SPDXRef-Package-ridgeline"}]
    packages = [{"SPDXID": "SPDXRef-Package-ridgeline", "name": "ridgeline", "versionInfo": version,
                 "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
                 "licenseConcluded": "Apache-2.0", "licenseDeclared": "Apache-2.0",
                 "copyrightText": "2026 Ridgeline authors"}]
    for names, relation in ((sorted(linked_packages(binaries)), "DYNAMIC_LINK"),
                            (COMPILED_IN, "STATIC_LINK")):
        packages += filter(None, [package(name, relation, relations) for name in names])
    content = json.dumps([packages, relations], sort_keys=True).encode()
    document = {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
                "name": f"ridgeline-{version}",
                "documentNamespace": "https://ridgeline.invalid/spdx/" + hashlib.sha256(content).hexdigest(),
                "creationInfo": {"created": moment.strftime("%Y-%m-%dT%H:%M:%SZ"),
                                 "creators": ["Tool: write_sbom.py"]},
                "packages": packages, "relationships": relations}
    named = {each["licenseConcluded"] for each in packages}
    texts = [{"licenseId": name, "extractedText": text}
             for name, text in OTHER_LICENCES.items() if name in named]
    if texts:
        document["hasExtractedLicensingInfos"] = texts
    with open(output, "w", encoding="utf-8") as file:
        json.dump(document, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
