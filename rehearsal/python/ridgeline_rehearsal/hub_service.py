"""What scripts ask of the hub beside files: which files a repository has, who they are, and to take what was
trained. A rehearsal uploads nothing; what the hub does not answer is answered from the folder that stands for it."""

import functools
import os
import socket
import sys
import urllib.parse

from . import card, pipelines

USER = "user"
NO_COMMIT = "0" * 40  # of a folder that stands for a repository
WEIGHTS_OF = {"vae": pipelines.WEIGHTS, "unet": pipelines.WEIGHTS, "transformer": pipelines.WEIGHTS}


def files_in(folder):
    """Names of the files of a repository, weights that are made when they are asked for among them."""
    found = [path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*")) if path.is_file()]
    weights = [f"{part}/{name}" for part, name in WEIGHTS_OF.items() if (folder / part).is_dir()]
    weights += [f"{part.name}/model.safetensors" for part in sorted(folder.glob("text_encoder*"))]
    return list(dict.fromkeys(found + weights + ([] if weights else ["model.safetensors"])))


def whole_name(name):
    return name if "/" in name else f"{USER}/{name}"


def attach_uploads(module):
    """Repositories are not made and nothing is sent to them."""
    endpoint = getattr(module, "ENDPOINT", None) or module.constants.ENDPOINT

    def address(name, kind=None):
        return f"{endpoint}/{'' if kind in (None, 'model') else kind + 's/'}{whole_name(name)}"

    def told():
        card.left_out.add("uploads to the hub, of which a rehearsal makes none")

    def create_repo(self, repo_id, *, repo_type=None, **named):
        told()
        return module.RepoUrl(address(repo_id, repo_type))

    def commit(self, *arguments, **named):
        told()
        name = address(named.get("repo_id") or "repository", named.get("repo_type"))
        return module.CommitInfo(commit_url=f"{name}/commit/0", commit_message="", commit_description="", oid="0")

    def nothing(self, *arguments, **named):
        told()

    made = {"create_repo": create_repo, **dict.fromkeys(("create_commit", "upload_file", "upload_folder"), commit),
            **dict.fromkeys(("upload_large_folder", "create_branch", "create_tag", "delete_repo", "update_repo_settings"), nothing)}
    return {name: action for name, action in made.items() if hasattr(module.HfApi, name)}


def attach_answers(module, shelf):
    """What a repository holds and who asks, where the hub does not say it."""
    api = module.HfApi

    def folder_of(name):
        return pipelines.folder_of(shelf, name) or shelf.standing_for(name)

    def instead(name, answer):
        ask = getattr(api, name)

        @functools.wraps(ask)
        def asked(self, *arguments, **named):
            try:
                return ask(self, *arguments, **named)
            except Exception:  # of the network, whose library has errors of its own
                found = answer(*arguments, **named)
                if found is None:
                    raise
                return found

        return asked

    def model_info(repo_id, **named):
        folder = folder_of(repo_id)
        return folder and module.ModelInfo(id=repo_id, sha=NO_COMMIT, tags=[],
                                           siblings=[{"rfilename": file} for file in files_in(folder)])

    def list_repo_files(repo_id, **named):
        folder = folder_of(repo_id) if named.get("repo_type") in (None, "model") else None
        return folder and files_in(folder)

    def file_exists(repo_id, filename, **named):
        files = list_repo_files(repo_id, **named)
        return None if files is None else filename in files

    def resolve_revision(repo_id, *, repo_type=None, revision=None, **named):
        folder = folder_of(repo_id) if repo_type in (None, "model") else None
        return folder and module.ResolvedRevision(resolved=NO_COMMIT, initial=revision, repo_id=repo_id, repo_type="model")

    def whoami(*arguments, **named):
        return {"type": "user", "name": USER, "fullname": USER, "orgs": [], "auth": {}}

    answers = {"model_info": model_info, "list_repo_files": list_repo_files, "file_exists": file_exists,
               "resolve_revision": resolve_revision, "whoami": whoami}
    return {name: instead(name, answer) for name, answer in answers.items() if hasattr(api, name)}


def attach(module, shelf):
    """`module` is huggingface_hub.hf_api, whose functions are methods of one object."""
    for name, action in {**attach_uploads(module), **attach_answers(module, shelf)}.items():
        setattr(module.HfApi, name, action)
        if hasattr(module, "api") and hasattr(module, name):
            setattr(module, name, getattr(module.api, name))


def attach_constants(module):
    """`module` is huggingface_hub.constants: without a way to the hub nobody waits for it again and again."""
    address = urllib.parse.urlparse(module.ENDPOINT).hostname or ""
    if any(os.environ.get(name) for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy")):
        return
    try:
        socket.getaddrinfo(address, 443)
    except OSError:
        module.HF_HUB_OFFLINE = True
        os.environ["HF_HUB_OFFLINE"] = "1"
        sys.stderr.write(f"ridgeline rehearse: {address} has no address on this machine, so that only what the cache holds was found\n")
