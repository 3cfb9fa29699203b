"""Sphinx extension of the book: live apps without a server, nothing from other hosts, downloads and footer."""

from __future__ import annotations

import hashlib
import html
import shutil
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import browser_archive
import build_variables
import page_html
import site_files
import yaml
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ExtensionError

from expectimax_course import __version__

ROOT = build_variables.ROOT


def sources_digest() -> str:
    """Return a digest of all that a chapter's outputs depend on besides its own text: the package and the records."""
    digest = hashlib.sha256()
    for folder in (ROOT / browser_archive.PACKAGE, ROOT / "book" / "_data"):
        for path in sorted(folder.rglob("*.*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(path.relative_to(ROOT).as_posix().encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()


def configure(app: Sphinx, config: Config) -> None:
    """Take the build variables into the configuration, and forget stored outputs when the package has changed."""
    variables = build_variables.read()
    for package in ("mathjax", "pyodide"):
        site_files.npm_version(package)  # found missing only at the end, it would cost the run of all chapters
    if not variables.execute:
        config.nb_execution_mode = "off"
    if variables.site_url:
        config.html_baseurl = f"{variables.site_url}/"
        config.ogp_site_url = f"{variables.site_url}/"
    digest = sources_digest()
    config.course_sources = f"{digest} {variables.solutions}"
    if not variables.solutions:
        toc = app.outdir.parent / "student_toc.yml"
        full = yaml.safe_load((ROOT / "_toc.yml").read_text("utf8"))
        toc.write_text(yaml.safe_dump(build_variables.student_toc(full), sort_keys=False), "utf8")
        config.external_toc_path = str(toc)
    cache = Path(config.nb_execution_cache_path or app.outdir.parent / ".jupyter_cache")
    stamp = cache / "course_sources.txt"
    if cache.is_dir() and (not stamp.is_file() or stamp.read_text() != digest):
        shutil.rmtree(cache)
    cache.mkdir(parents=True, exist_ok=True)
    stamp.write_text(digest)


def add_live_files(app: Sphinx) -> None:
    """Name the apps' stylesheet; every page with an app gets the script in ``finish_page``."""
    app.add_css_file(f"{site_files.LIVEAPP}/apps.css")


def _script(pathto: Any) -> str:
    archive = browser_archive.archive_name(browser_archive.archive_bytes())
    folder = site_files.LIVEAPP
    return (
        f'<script defer src="{pathto("_static/boot.js", 1)}" data-module="{folder}/liveapp.js"'
        f' data-pyodide="{folder}/{site_files.pyodide_folder()}/" data-archive="{folder}/{archive}"></script>'
    )


def _get(pathto: Any, pagename: str, site_url: str) -> str:
    """Return the box that says how to run this page's notebook elsewhere."""
    wheel = f"dist/{site_files.wheel_name(__version__)}"
    # Where nobody said the site's address, boot.js fills in the one that the reader came by.
    here = "" if site_url else f' data-wheel="{pathto(wheel, 1)}"'
    address = f"{site_url}/{wheel}" if site_url else wheel
    name = f"{pagename.rpartition('/')[2]}.ipynb"
    source = pathto(f"_sources/{pagename}.ipynb", 1)
    return (
        '<aside class="ec-get" aria-label="Run this notebook yourself">'
        f'<p>Run it yourself: <a href="{source}" download>download {html.escape(name)}</a>, then</p>'
        f"<p><code>pip install jupyterlab <span{here}>{html.escape(address)}</span></code></p>"
        f"<p>and <code>jupyter lab {html.escape(name)}</code>.</p></aside>"
    )


def _footer(pathto: Any, variables: build_variables.BuildVariables) -> str:
    parts = [f"Version {__version__}, {variables.date}", f'<a href="{pathto("book/notices")}">Licences</a>']
    if variables.repo_url:
        # The theme's own buttons know three providers and stop at any other.
        repository = html.escape(variables.repo_url)
        parts.append(f'<a href="{repository}">Sources</a>')
        parts.append(f'<a href="{repository}/issues/new">Report an error</a>')
    return "<p>" + " · ".join(parts) + "</p>"


def _wanted(script: Any) -> bool:
    """Say no to Thebe's scripts and to the state of widgets, which repeats the apps' script and is read by nothing."""
    words = f"{getattr(script, 'filename', script)} {getattr(script, 'attributes', '')}"
    return "thebe" not in words and "vnd.jupyter.widget" not in words


def finish_page(app: Sphinx, pagename: str, _: str, context: dict[str, Any], doctree: Any) -> None:
    """Complete one page: frames and script for its apps, the notebook's box, the footer, no script of Thebe's."""
    variables = build_variables.read()
    context["script_files"] = [script for script in context["script_files"] if _wanted(script)]
    context["theme_extra_footer"] = _footer(context["pathto"], variables)
    if doctree is None or "body" not in context:
        return
    body = page_html.without_thebe(context["body"])
    if app.env.doc2path(pagename).endswith(".ipynb"):
        body += _get(context["pathto"], pagename, variables.site_url)
        body = page_html.with_frames(body) + _script(context["pathto"])
    context["body"] = body


def finish_site(app: Sphinx, exception: Exception | None) -> None:
    """Copy what the site serves itself, then make sure that no page asks another host for anything."""
    if exception or app.builder.format != "html":
        return
    static = app.outdir / "_static"
    site_files.copy_mathjax(static)
    site_files.copy_liveapp(static)
    site_files.build_wheel(app.outdir / "dist", __version__)
    if foreign := [f"{address} in {path}" for path, address in page_html.foreign_addresses(app.outdir)]:
        raise ExtensionError(f"expected pages that load files of this site only, got {', '.join(foreign)}")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension."""
    app.add_config_value("course_sources", "", "env")
    app.connect("config-inited", configure, priority=100)  # before the table of contents is read
    app.connect("builder-inited", add_live_files)
    app.connect("html-page-context", finish_page, priority=900)
    app.connect("build-finished", finish_site)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}
