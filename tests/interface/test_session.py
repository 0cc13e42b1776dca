"""What a session shows and completes, with IPython's own formatter and completer in process."""

from xml.etree import ElementTree

import pytest
from IPython.core.completer import provisionalcompleter
from IPython.core.interactiveshell import InteractiveShell
from IPython.terminal.interactiveshell import TerminalInteractiveShell

from theorems.engine.claims import registry as registries
from theorems.engine.claims.claim import claim
from theorems.engine.claims.mathml import mathml
from theorems.engine.judging.judge import judge
from theorems.engine.statements.statement import sentence
from theorems.interface.console import Claims, names, show_all_digits


@pytest.fixture(scope="module")
def known():
    return names()


@pytest.fixture
def shell(known):
    TerminalInteractiveShell.clear_instance()
    InteractiveShell.clear_instance()
    made = InteractiveShell.instance(user_ns=dict(known), history_load_length=0)
    made.history_manager.enabled = False
    show_all_digits(made.display_formatter.formatters["text/plain"])
    yield made
    made.history_manager.end_session()
    InteractiveShell.clear_instance()


def completed(shell, text):
    with provisionalcompleter():
        found = list(shell.Completer.completions(text, len(text)))
    return {text[: one.start] + one.text for one in found}


def test_tab_completes_the_ids_of_claims(shell):
    found = completed(shell, 'claims["eoc.prop17')
    wanted = {f'claims["{one}' for one in registries.load().claims if one.startswith("eoc.prop17")}
    assert {one.rstrip(']"') for one in found} == wanted
    assert len(wanted) > 1


def test_tab_completes_names(shell):
    assert {"varrho_prime", "varrho_second"} <= completed(shell, "varrho_")
    assert "plot_cosine_maps" in completed(shell, "plot_c")


def test_a_claim_is_shown_as_its_page_and_as_mathematics(shell):
    one = registries.load().claims["eoc.prop17"]
    shown, _ = shell.display_formatter.format(one)
    assert shown["text/plain"].startswith(f"{one.id}  {one.title}")
    assert "evidence" in shown["text/plain"]
    assert "Formula(" not in shown["text/plain"]
    assert "<math" in shown["text/html"]
    assert shown["text/latex"] == f"$\\displaystyle {one.displayed}$"


def test_a_claim_of_no_paper_is_shown_by_its_statement(shell):
    one = claim("t.a", at="a", title="Title", states=sentence("x < y"))
    shown, _ = shell.display_formatter.format(one, include={"text/plain"})
    assert shown == {"text/plain": "t.a  Title\n  x < y"}


def test_a_wrong_id_is_told_with_the_ones_near_it(known):
    with pytest.raises(KeyError, match=r"did you mean .*eoc\.prop7"):
        known["claims"]["eoc.prop71"]
    with pytest.raises(TypeError, match="must be a string, got 17"):
        known["claims"][17]


def test_the_claims_together_are_a_line(known):
    assert isinstance(known["claims"], Claims)
    assert repr(known["claims"]).startswith(f"{len(known['claims'])} claims of the papers ")
    assert "\n" not in repr(known["claims"])


def test_every_claim_is_well_formed_markup_with_all_its_formulas_as_mathematics(known):
    for one in known["claims"].values():
        page = ElementTree.fromstring(one._repr_html_())
        tags = [element.tag.rpartition("}")[2] for element in page.iter()]
        assert tags.count("math") >= len(one.parts) + len(one.given)
        assert "pre" not in tags
        shown = [element.text for element in page.iter("code")]
        assert shown == [one.id]  # and no formula as it is


def test_a_judgement_says_what_is_missing():
    found = judge(registries.load(), {}, ["eoc.prop17"])["eoc.prop17"]
    page = ElementTree.fromstring(found._repr_html_())
    words = list(page.itertext())
    assert "open" in words
    assert set(found.reasons) <= set(words)
    assert found.reasons


def test_text_with_braces_stays_text():
    formula = ElementTree.fromstring(mathml(r"X \text{ {exchangeable}, with {a} and b} \to y"))
    assert " {" not in "".join(formula.itertext())
    texts = [element.text for element in formula.iter() if element.tag.endswith("}mtext")]
    assert [one.replace("\xa0", " ").strip() for one in texts] == ["exchangeable, with a and b"]
