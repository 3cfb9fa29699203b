"""Links that look after themselves: ``{questions} NN_name`` and ``{chapter}`NN_name```; docstrings on the API page.

The directive lists the questions of a chapter with points and minutes, as the bank has them. The role names a
chapter and links it if the book already has it.
"""

from __future__ import annotations

from docutils import nodes
from docutils.statemachine import StringList
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective, SphinxRole

from expectimax_course.grading.bank import questions


def lines(chapter: str, found: set[str]) -> list[str]:
    """Return the list as Markdown; pages that are not part of the book are not linked.

    Parameters
    ----------
    chapter : such as ``03_push_to_21``
    found : names of all pages
    """
    asked = questions(chapter)
    page, answers = f"exercises/{chapter}", f"solutions/{chapter}"
    where = f"{{doc}}`The notebook </{page}>`" if page in found else "The notebook"
    after = f" ({{doc}}`solutions </{answers}>`)" if answers in found else ""
    rows = [f"| {q.title} | {q.points:g} | {q.minutes} |" for q in asked]
    together = f"| together | {sum(q.points for q in asked):g} | {sum(q.minutes for q in asked)} |"
    head = f"{where} has {len(asked)} questions, the easiest first{after}."
    return [head, "", "| question | points | minutes |", "|---|---|---|", *rows, together]


class QuestionsDirective(SphinxDirective):
    """``{questions} NN_name``."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the list."""
        try:
            text = lines(self.arguments[0], self.env.found_docs)
        except ValueError as error:
            raise self.error(str(error)) from None
        container = nodes.container(classes=["questions"])
        self.state.nested_parse(StringList(text, source=self.get_source_info()[0]), self.content_offset, container)
        return container.children


class ChapterRole(SphinxRole):
    """``{chapter}`NN_name```: "chapter NN", linked if there is such a page."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the words, with or without the link."""
        words = nodes.inline(self.rawtext, f"chapter {self.text[:2]}")
        page = f"book/{self.text}"
        if page not in self.env.found_docs:
            return [words], []
        link = addnodes.pending_xref(
            self.rawtext, words, refdomain="std", reftype="doc", reftarget=f"/{page}", refexplicit=True, refwarn=True
        )
        link["refdoc"] = self.env.docname
        return [link], []


def escape_stars(app: Sphinx, what: str, name: str, obj: object, options: object, docstring: list[str]) -> None:
    """Keep "*-minimax" in a docstring from opening an emphasis that never closes."""
    docstring[:] = [line.replace("*-minimax", "\\*-minimax") for line in docstring]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive, the role, and what the API page needs."""
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("autodoc-process-docstring", escape_stars)
    app.add_directive("questions", QuestionsDirective)
    app.add_role("chapter", ChapterRole())
    return {"parallel_read_safe": True, "parallel_write_safe": True}
