"""The report: every page is there and well formed, every link leads somewhere."""

import re
from html.parser import HTMLParser
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from theorems.engine.claims.kinds import Provenance, Severity
from theorems.engine.claims.registry import load
from theorems.engine.running.catalogue import catalogue
from theorems.engine.running.runner import latest
from theorems.engine.running.standing import standings
from theorems.interface.constants import kept_sharpenings
from theorems.interface.site.derivations import derivation
from theorems.interface.site.flow import cut
from theorems.interface.site.graph import neighbourhood
from theorems.interface.site.mathematics import display, formula, prose
from theorems.interface.site.notes import _page
from theorems.interface.site.told import answered, numbers
from theorems.interface.site.writer import Site

EMPTY = {"meta", "link", "br", "wbr", "input", "img", "hr", "path", "rect", "mspace"}


class Page(HTMLParser):
    """What a page links to, its anchors, the text outside of code, and faults in its tags."""

    def __init__(self, text):
        super().__init__()
        self.links, self.ids, self.said, self.faults, self.open = [], [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        if found.get("id"):
            self.ids.append(found["id"])
        self.links += [found[name] for name in ("href", "src") if name in found]
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        if tag not in EMPTY:
            self.handle_starttag(tag, attrs)
            self.open.pop()

    def handle_endtag(self, tag):
        if tag in EMPTY:
            return
        if not self.open or self.open.pop() != tag:
            self.faults.append(tag)

    def handle_data(self, data):
        if not {"code", "pre", "script", "style"} & set(self.open):
            self.said.append(data)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    known, folder = catalogue(), tmp_path_factory.mktemp("report")
    made = Site(known, kept_sharpenings(known), standings(known), latest(known), lambda _: "@misc{x}", "made")
    names = []
    made.write(folder, names.append)
    assert len(names) == len(made)
    pages = {one.relative_to(folder).as_posix(): one for one in folder.rglob("*.html")}
    assert sorted(names) == sorted(pages)
    return known, folder, {name: Page(one.read_text("utf-8")) for name, one in pages.items()}


def test_every_tag_is_closed_and_every_anchor_is_there_once(site):
    _, _, pages = site
    for name, page in pages.items():
        assert not page.faults, name
        assert not page.open, name
        assert len(page.ids) == len(set(page.ids)) or name.startswith("claims/"), name


def test_every_link_leads_to_a_file_or_a_heading(site):
    _, folder, pages = site
    for name, page in pages.items():
        for link in page.links:
            if link.startswith(("https://", "data:")):
                continue
            path, _, heading = link.partition("#")
            target = (folder / name).parent / path if path else folder / name
            assert target.is_file(), (name, link)
            if heading:
                inside = pages[target.resolve().relative_to(folder.resolve()).as_posix()]
                assert unquote(heading) in inside.ids, (name, link)


def test_pages_need_no_network_and_say_no_latex(site):
    known, _, pages = site
    web = {paper.link for paper in known.papers}
    for name, page in pages.items():
        assert all(not one.startswith("http") or one in web for one in page.links), name
        said = " ".join(page.said)
        assert not re.search(r"\\[a-zA-Z]{2,}", said), (name, re.findall(r"\\\w+", said)[:3])


def test_every_claim_has_a_page_that_leads_to_its_neighbours(site):
    known, _, pages = site
    for one in known.claims.values():
        page = pages[f"claims/{one.id}.html"]
        links = {link.removesuffix(".html") for link in page.links}
        assert set(one.rests_on) <= links
        assert one.of is None or one.of in links
    assert {f"papers/{paper.prefix}.html" for paper in known.papers} <= set(pages)


def test_findings_and_sharpened_claims_are_all_listed(site):
    known, _, pages = site
    for page, wanted in (
        ("findings.html", lambda one: one.severity is not None),
        ("constants.html", lambda one: one.provenance is Provenance.SHARPENED),
        ("index.html", lambda one: one.severity in {Severity.FALSE, Severity.GAP}),
    ):
        listed = {link for link in pages[page].links if link.startswith("claims/")}
        for one in filter(wanted, known.claims.values()):
            assert f"claims/{one.id}.html" in listed, (page, one.id)


def test_formulas_are_mathml_core():
    text = display(r"\lim_{n \to \infty} \mathbb{E}\,\mathcal{G} \xrightarrow{P} \bigl\|x\bigr\|")
    assert re.search(r"<munder><mo[^>]*>lim</mo>", text)
    assert "𝔼" in text
    assert "𝒢" in text
    assert "mpadded" not in text
    assert "\\" not in text
    assert "<mi>Var</mi>" in re.sub(r' mathvariant="normal"', "", formula(r"\mathrm{Var}(x)"))
    assert "<munder>" not in formula(r"\lim_{n} x_n")


def test_names_of_functions_stand_apart_from_letters_and_not_from_brackets():
    assert formula(r"\log n \log\log n").count("<mspace") == 4
    assert "<mspace" not in formula(r"\log(n) + \exp\left(x\right) = m_{\mathrm{app}}")


def test_a_long_formula_is_cut_into_formulas_and_nothing_is_lost():
    for one in load().claims.values():
        for part in one.parts.values():
            latex = part.latex(one.letters)
            pieces = cut(latex)
            assert "".join(each.removeprefix("{} ") for each in pieces).strip() == latex.strip()
            for each in pieces:
                assert each.count("{") == each.count("}"), (one.id, each)
                assert each.count(r"\left") == each.count(r"\right"), (one.id, each)


@pytest.mark.parametrize(
    ("latex", "pieces"),
    [
        ("x", 1),
        ("-x = -1", 2),
        (r"\frac{a = b}{c + d}", 1),
        (r"f(a, b + c) = 1", 2),
        (r"\left(a + b\right) c - d", 2),
        (r"a_{i, j}^{2 - k} \le b", 2),
        (r"\text{for all, and each } x", 1),
        (r"\mathbb{P}\Bigl(\|x\| \ge t,\ y < 1\Bigr) \le e^{-t}", 5),
    ],
)
def test_where_a_formula_is_cut(latex, pieces):
    assert len(cut(latex)) == pieces


@given(st.text(alphabet="\\{}()[]a+=,_^& <", max_size=30))
def test_cutting_bears_any_text(text):
    assert "".join(each.removeprefix("{} ") for each in cut(text)).split() == text.split() or (
        "{} " in text or not text.strip()
    )


def test_answers_are_escaped_and_name_letters_by_their_symbols():
    shown = answered("false at Delta_phi = -1/2, x<y = 3", {"Delta_phi": r"\Delta_\phi"})
    assert "<math" in shown
    assert "Delta_phi" not in shown
    assert "= −1/2, x&lt;y" in shown
    assert numbers("0.144 +- 5.5e-03 of 1e+20, not z-1") == (
        "0.144 ± 5.5 · 10<sup>−3</sup> of 1 · 10<sup>20</sup>, not z-1"
    )


def test_notes_have_their_formulas_as_mathematics_and_their_headings_by_their_words():
    text = "# Of `t.one` and x_1\n\nLet √2 < e^{x}, as in [other.md](other.md).\n\n"
    text += "    y = 2,     z = 3\n"
    shown = _page(text, lambda _: None)
    assert '<h1 id="of-tone-and-x_1">' in shown
    assert shown.count("<math") == 7
    assert ">other.md</a>" in shown
    assert '<div class="typed"><div class="wide"' in shown
    assert '<span class="gap"></span>' in shown


def test_prose_escapes_what_is_no_formula():
    assert "<b>" not in prose("<b> & x_1")
    assert prose("a & b").count("&amp;") == 1
    assert "<msub>" in prose("all x_1")


def test_a_derivation_is_a_table_with_its_reasons():
    latex = "\\begin{align*}\nf(x)\n  &= \\frac{a & b}{c} \\\\*\n  &\\quad\\text{\\small (by $x$)}"
    made = derivation(latex.replace("a & b", "ab") + " \\\\\n  &= 2 && \\text{so}\n\\end{align*}")
    assert made.count("<tr>") == 3
    assert made.count('<td class="reason">so</td>') == 1
    assert "(by <math" in made
    assert "\\" not in made


def test_the_neighbourhood_of_a_claim_has_what_it_rests_on_and_its_users():
    known = catalogue()
    one = next(one for one in known.claims.values() if one.rests_on and known.dependants(one.id))
    around = neighbourhood(known, one.id)
    assert {one.id, *one.rests_on, *known.dependants(one.id)} <= set(around)
