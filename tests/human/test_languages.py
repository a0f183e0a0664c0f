"""The catalogues of languages have exactly the texts of the code, with the same fields; blocks of questions, too."""

from typing import get_args

import pytest

from bba.errors import BBAError
from bba.files import read_toml
from bba.language import LANGUAGE, Language, catalogue, say
from human.study import load_study
from human.study.plan_file import QUESTION_FOLDER, Block, block_names
from tests.helpers.languages import LANGUAGES, catalogue_of, fields_of, messages, spoken
from tui.serve.session import TEMPLATES

IN_THEIR_OWN_WORDS = {"sus"}  # not ours to translate
STUDY = 'name = "s"\ntitle = "t"\nconsent = "c"\nlanguage = "{}"\nlayouts = ["open"]\nagents = ["switching"]\n'


def test_there_is_a_catalogue_for_each_language_but_english():
    assert {"en", *LANGUAGES} == set(get_args(Language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_has_the_texts_of_the_code_and_no_others_with_the_same_fields(language):
    texts, wanted = catalogue_of(language), messages()
    assert len(wanted) > 250
    assert (wanted - set(texts), set(texts) - wanted) == (set(), set())
    assert [text for text, said in texts.items() if fields_of(text) != fields_of(said) or not said.strip()] == []
    assert [text for text, said in texts.items() if (len(text) - len(text.lstrip()) > 1) != (said[:2] == "  ")] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_says_that_nobody_has_proofread_it(language):
    file = QUESTION_FOLDER.parent / "languages" / f"{language}.toml"
    assert "Not yet proofread" in file.read_text("utf-8").split("\n")[0]


def test_a_translation_may_put_fields_into_another_order_and_what_is_missing_stays_english():
    with spoken("zh"):
        assert (
            say(
                "{right} of {answers} answers were right. Please read once more, then answer again.", right=1, answers=3
            )[:2]
            == "3 "
        )
        assert say("a text that no catalogue has") == "a text that no catalogue has"
    assert (LANGUAGE.get(), catalogue("en")) == ("en", {})


@pytest.mark.parametrize("language", LANGUAGES)
def test_blocks_of_questions_are_translated_where_their_wording_is_ours(language):
    translated = {file.stem for file in (QUESTION_FOLDER / language).glob("*.toml")}
    assert translated == set(block_names()) - IN_THEIR_OWN_WORDS
    for name in translated:
        english, other = (
            read_toml(folder / f"{name}.toml", Block) for folder in (QUESTION_FOLDER, QUESTION_FOLDER / language)
        )
        assert english.source == other.source
        assert not other.scores, "they are those of the English block"
        choices = [choice for question in other.questions for choice in question.choices or ()]
        for one, two in zip(english.questions, other.questions, strict=True):
            same = {"name", "when", "type", "points", "least", "most", "required", "order"}
            assert one.model_dump(include=same) == two.model_dump(include=same)
            assert one.text != two.text
            assert len(one.options) == len(two.options)
            assert (one.ends is None) == (two.ends is None)
            assert one.show_if.keys() == two.show_if.keys()
            assert all(wanted in choices for answers in two.show_if.values() for wanted in answers)


def test_a_study_includes_a_block_in_its_language(tmp_path):
    file = tmp_path / "study.toml"
    include = '[[questions]]\ninclude = "{}"\n'
    file.write_text(STUDY.format("de") + include.format("trust") + include.format("sus"))
    study = load_study(file)
    texts = [question.text for question in study.questions]
    assert texts[0] == "Ich konnte mich auf meinen Partner verlassen."
    assert texts[-1].startswith("I needed to learn")
    assert [score.name for score in study.scores] == ["score_trust", "score_sus"]


def test_an_unknown_language_is_one_line_that_names_those_that_there_are(tmp_path):
    file = tmp_path / "study.toml"
    file.write_text(STUDY.format("fr"))
    with pytest.raises(BBAError, match=r"line 4: language: Input should be 'en', 'de', 'es' or 'zh'$"):
        load_study(file)


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
def test_the_pages_of_the_browser_are_in_the_language_that_they_name(language):
    with spoken(language):
        pages = [
            TEMPLATES.get_template(name).render(socket="", sessions=3, language=language, study=None, say=say)
            for name in ("index.html", "full.html")
        ]
    for page in pages:
        assert f'<html lang="{language}">' in page
        assert "{" not in page.replace("{{", "")
        assert ("Try again" in page) == (language == "en")
