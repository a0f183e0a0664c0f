"""The pages of a study as values: what each says and asks, and the ways on from it.

A page is shown in the terminal (`tui.study.screens`), as lines of text (`tui.plain.study`) and as a form in the browser
(`tui.study.browser_forms`); all three show the same value. What a participant does there is a `PageReply`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from typing import Literal

from bba.errors import BBAError
from bba.language import marked, say
from human.study import (
    Answer,
    BegunInOtherBrowser,
    BreakTask,
    EndingName,
    FailedTryTask,
    NoPlaceInStudy,
    ParticipantError,
    QuestionTask,
    Study,
    parse_code,
)


@dataclass(frozen=True)
class PageButton:
    """A way on from a page.

    Attributes:
        name: what a reply calls it.
        label: what is written on it.
    """

    name: str
    label: str


@dataclass(frozen=True)
class PagePicture:
    """A picture below the text of a page.

    Attributes:
        address: the picture, as an address that holds it whole.
        words: what it shows, for who does not see it.
    """

    address: str
    words: str


@dataclass(frozen=True)
class CodeField:
    """Asks for a participant's code."""

    def problem_with(self, answer: Answer) -> str | None:
        """Returns what is wrong with a code, for who typed it; None if it can be taken."""
        try:
            parse_code(str(answer))
        except BBAError as error:
            return str(error).removeprefix("participant: ")
        return None

    def as_stored(self, answer: Answer) -> str:
        """Returns the code as it is kept."""
        return parse_code(str(answer))


@dataclass(frozen=True)
class QuestionField:
    """Asks for the answer to a question.

    Attributes:
        task: the question, and its place among the others.
        earlier_answer: the answer that was given before, if there is one.
    """

    task: QuestionTask
    earlier_answer: Answer = None

    def problem_with(self, answer: Answer) -> str | None:
        """Returns what is wrong with an answer, for who gave it; None if it can be taken."""
        return self.task.question.problem_with(answer)

    def as_stored(self, answer: Answer) -> Answer:
        """Returns the answer as it is kept: None for a question that was left out."""
        if answer == "" and self.task.question.type != "text":
            return None
        return answer


@dataclass(frozen=True)
class BreakDuration:
    """How long a break lasts, in seconds.

    Attributes:
        shortest: after which the participant can go on.
        longest: after which it goes on by itself.
        elapsed: that had passed when its page was made.
    """

    shortest: float
    longest: float
    elapsed: float

    def in_words(self, elapsed: float) -> str:
        """Returns how long it still lasts when so many seconds have passed."""
        seconds_to_wait = ceil(self.shortest - elapsed)
        if seconds_to_wait > 0:
            return say("You can go on in {seconds} s.", seconds=seconds_to_wait)
        return say("It goes on by itself in {seconds} s.", seconds=ceil(self.longest - elapsed))


@dataclass(frozen=True)
class Page:
    """What a participant reads, fills in and presses, in the language of the study.

    Attributes:
        title: what is above it; "" for a question that lies over another page or a game.
        text: what is read.
        buttons: the ways on, the usual one first.
        field: what is filled in; None for nothing.
        picture: a picture below the text; None for none.
        break_duration: of a break, how long it lasts.
        careful: whether enter alone does nothing, so that nobody agrees by accident.
        after_game: whether keys of a game may still be pressed, which must press no button here.
    """

    title: str
    text: str
    buttons: tuple[PageButton, ...]
    field: CodeField | QuestionField | None = None
    picture: PagePicture | None = None
    break_duration: BreakDuration | None = None
    careful: bool = False
    after_game: bool = False


@dataclass(frozen=True)
class PageReply:
    """What a participant has done on a page.

    Attributes:
        button: the name of the way on.
        answer: what was filled in; None for nothing.
        shown_at: when the page was shown, of a question.
    """

    button: str
    answer: Answer = None
    shown_at: datetime | None = None


def ways(yes: str, no: str | None = None) -> tuple[PageButton, ...]:
    """Returns one or two ways on, named "yes" and "no", with these labels."""
    if no is None:
        return (PageButton("yes", yes),)
    return PageButton("yes", yes), PageButton("no", no)


# --- something to fill in ----------------------------------------------------------------------------------------
CODE_TEXT = marked("""Please type the code that you were given, such as P07. Do not type your name.

If you have taken part before and were interrupted, the same code goes on from there.""")


def code_page(title: str) -> Page:
    """Returns the page that asks for a participant's code, given the title of the study."""
    return Page(title, say(CODE_TEXT), ways(say("Go on")), field=CodeField())


SECTION_WORDS = marked(
    {
        "start": "before the games",
        "practice": "what you have learned",
        "after-game": "on game {game}",
        "end": "at the end",
    }
)


def title_of(task: QuestionTask) -> str:
    """Returns what a question is about, and its place among the others."""
    section = say(SECTION_WORDS[task.question.when], game=(task.game or 0) + 1)
    if task.of == 1:
        return section
    return say("{where}: question {number} of {questions}", where=section, number=task.position, questions=task.of)


def question_page(task: QuestionTask, before: Answer = None, *, back: bool = False) -> Page:
    """Returns the page of a question.

    Args:
        task: the question.
        earlier_answer: the answer that was given before, if there is one.
        back: whether one step back is possible, by the button "back".
    """
    buttons = ways(say("Go on"))
    if back:
        buttons += (PageButton("back", say("One question back")),)
    return Page(title_of(task), task.question.text, buttons, field=QuestionField(task, before))


def number_in(text: str) -> Answer:
    """Returns a number that was typed; None without one, and the text itself where it is none."""
    text = text.strip().replace(",", ".")
    try:
        return float(text) if text else None
    except ValueError:
        return text


# --- something to read -------------------------------------------------------------------------------------------
def consent_page(study: Study) -> Page:
    """Returns the page that asks for a participant's consent."""
    return Page(study.title, study.consent, ways(say("I agree"), say("I do not agree")), careful=True)


def break_page(task: BreakTask, games: int, elapsed: float) -> Page:
    """Returns the page of a break.

    Args:
        task: the break.
        games: the number of the participant's games.
        elapsed: seconds of it that have passed.
    """
    text = say("You may rest. Game {game} of {games} comes next.", game=task.game + 2, games=games)
    duration = BreakDuration(task.shortest, task.longest, elapsed)
    return Page(say("A break"), text, ways(say("Go on")), break_duration=duration)


GAME_OVER = marked("Please let go of all keys. In a moment it goes on from here.")


def game_over_page() -> Page:
    """Returns the page after a game."""
    return Page(say("Game over"), say(GAME_OVER), ways(say("Go on")), after_game=True)


def said_of_try(task: FailedTryTask) -> str:
    """Returns what a failed try of the practice lacks, and how many are left."""
    lacks = [] if task.stages else [say("The games need more of what the tutorial shows. Please do all of its steps.")]
    if task.right < task.of:
        lacks.append(
            say(
                "{right} of {answers} answers were right. Please read once more, then answer again.",
                right=task.right,
                answers=task.of,
            )
        )
    tries = say("This is the last try.") if task.left == 1 else say("You have {tries} more tries.", tries=task.left)
    return "\n\n".join([*lacks, tries])


# --- the ways out ------------------------------------------------------------------------------------------------
LEAVE = marked("""Leave here? What you have done is saved. The same code goes on from here another time.

You can also withdraw from the study: then everything about you is deleted.""")


def leave_page() -> Page:
    """Returns the question whether to leave, to withdraw or to stay."""
    buttons = (
        PageButton("leave", say("Leave")),
        PageButton("withdraw", say("Withdraw")),
        PageButton("stay", say("Stay")),
    )
    return Page("", say(LEAVE), buttons, careful=True)


# Asked before a withdrawal, with the two answers.
WITHDRAWAL = marked(("Delete all your games and answers? This cannot be undone.", "Delete my data", "Keep them"))


def withdrawal_page() -> Page:
    """Returns the question whether everything about the participant is to be deleted."""
    question, yes, no = WITHDRAWAL
    return Page("", say(question), ways(say(yes), say(no)), careful=True)


StudyEnd = EndingName | Literal["left-study"]  # the page in the browser has a text for each
LAST_WORDS: Mapping[EndingName, str] = marked(
    {  # for who has no further task
        "finished": "That was all. Your games and answers are saved.",
        "finished-after-idle": "That was all. Your games and answers are saved.",
        "screened-out": """The study ends here for you: the practice was not passed. \
What you have done is saved.

Thank you for your time.""",
        "failed-attention": """That was all. What you have done is saved; too many questions that check attention were \
answered wrongly.

Thank you for your time.""",
    }
)
WITHDREW = marked("You have withdrawn, and nothing about your games and answers is kept.")
# By error, the ending, the title and the text of who cannot take part.
NO_WAY_IN: Mapping[type[BBAError], tuple[EndingName, str, str]] = {
    NoPlaceInStudy: (
        "study-full",
        marked("No place is left"),
        marked("Thank you for coming. You cannot take part: {why}.\n\nNothing was stored now."),
    ),
    BegunInOtherBrowser: (
        "other-browser",
        marked("Begun in another browser"),
        marked(
            "This participant has begun in another browser. Please go on there, or ask those who sent you the link."
        ),
    ),
}
FAULT: tuple[EndingName, str] = "fault", marked("This cannot go on")
# Said of what is not in words for participants, who shall read no place of a file and no name of a machine.
NOT_SAID = marked("""Something went wrong on the computer of those who run the study. Please tell them. \
What was saved before stays.""")


def said_of_problem(error: BBAError) -> str:
    """Returns what a participant reads of a problem."""
    return say("{why}", why=say(str(error))) if isinstance(error, ParticipantError) else say(NOT_SAID)


def way_out(error: BBAError) -> tuple[EndingName, str, str]:
    """Returns the ending, the title and the text for who cannot go on because of a problem."""
    if type(error) in NO_WAY_IN:
        ending, title, text = NO_WAY_IN[type(error)]
        return ending, say(title), say(text, why=say(str(error)))
    ending, title = FAULT
    return ending, say(title), said_of_problem(error)
