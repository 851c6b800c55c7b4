#!/usr/bin/env python3
"""Fetch one pinned file of a package registry and check its SHA-256.

    fetch_package.py pypi PROJECT FILENAME SHA256 OUTPUT
    fetch_package.py npm  NAME    VERSION  SHA256 OUTPUT

A plain download: nothing of the package is run, unlike `pip download` of a source
distribution. The registry is the one the machine's own pip or npm is set up with, so
mirrors work; where neither says anything, their built-in default is used.
"""
import hashlib
import html.parser
import os
import pathlib
import subprocess
import sys
import time
import urllib.parse
import urllib.request


def run(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def pypi_index():
    configured = os.environ.get("PIP_INDEX_URL") or run(
        sys.executable, "-m", "pip", "config", "get", "global.index-url")
    if configured:
        return configured
    return run(sys.executable, "-c",
               "from pip._internal.models.index import PyPI; print(PyPI.simple_url)")


def npm_registry():
    npm = os.environ.get("TIMBRE_NPM", "npm").split()
    return os.environ.get("NPM_CONFIG_REGISTRY") or run(*npm, "config", "get", "registry")


class Links(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.hrefs = []

    def handle_starttag(self, tag, attrs):
        if tag == "a":
            self.hrefs += [value for name, value in attrs if name == "href"]


def open_url(url):
    for attempt in range(4):
        try:
            return urllib.request.urlopen(url, timeout=60).read()
        except OSError as error:
            if attempt == 3:
                sys.exit(f"fetch_package: {error} for {urllib.parse.urlsplit(url).path}")
            time.sleep(2 ** attempt)


def pypi_url(project, filename):
    index = pypi_index()
    if not index:
        sys.exit("fetch_package: pip is needed to know the package index (python3-pip)")
    page_url = f"{index.rstrip('/')}/{project}/"
    links = Links()
    links.feed(open_url(page_url).decode())
    for href in links.hrefs:
        url = urllib.parse.urljoin(page_url, href)
        if urllib.parse.unquote(urllib.parse.urlsplit(url).path).endswith("/" + filename):
            return url.split("#")[0]
    sys.exit(f"fetch_package: the index has no file {filename} of {project}")


def npm_url(name, version):
    registry = npm_registry()
    if not registry:
        sys.exit("fetch_package: npm is needed to know the npm registry")
    return f"{registry.rstrip('/')}/{name}/-/{name.split('/')[-1]}-{version}.tgz"


def main():
    kind, name, which, sha256, output = sys.argv[1:]
    output = pathlib.Path(output)
    if output.exists() and hashlib.sha256(output.read_bytes()).hexdigest() == sha256:
        return
    url = pypi_url(name, which) if kind == "pypi" else npm_url(name, which)
    data = open_url(url)
    found = hashlib.sha256(data).hexdigest()
    if found != sha256:
        sys.exit(f"fetch_package: {name} {which}: checksum is {found}, expected {sha256}")
    output.parent.mkdir(parents=True, exist_ok=True)
    part = output.with_name(output.name + ".part")
    part.write_bytes(data)
    part.replace(output)


main()
