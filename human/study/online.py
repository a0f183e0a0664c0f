"""Studies with a recruiting platform: its link brings the ids of a participant, and each ending leads back to it."""

import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Annotated

from pydantic import BeforeValidator, Field, ValidationError

from bba.errors import BBAError, instead
from bba.language import marked, say
from human.study.endings import EndingName
from human.study.model import ConsistentModel, Problem, StudyModel

ParameterName = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_.-]{0,39}$")]
PlatformId = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
CompletionCode = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,60}$")]
Webpage = Annotated[str, Field(pattern=r"^https?://[!-~]{1,400}$")]
IDS = "BBA_TUI_IDS"  # the variable by which a visitor's process is told the ids of its link
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")  # the name of a parameter of the link, in an address

# The entries that an ending has where it has none of its own: who was given a code for `idle` gets no second one.
INSTEAD: Mapping[str, tuple[EndingName, ...]] = {"finished-after-idle": ("idle", "finished")}
EndingKey = Annotated[EndingName, BeforeValidator(lambda name: str(name).replace("_", "-"))]


class PlatformIds(StudyModel):
    """The ids of a participant on a recruiting platform.

    Attributes:
        participant, study, session: the ids; only the first must be there.
        visitor: a digest of the browser's cookie, so that another browser cannot go on with somebody else's id; None
            until the next browser comes.
    """

    participant: PlatformId
    study: PlatformId | None = None
    session: PlatformId | None = None
    visitor: Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")] | None = None

    @property
    def code(self) -> str:
        """The participant's code: it cannot be guessed from the number of participants, and is no name."""
        return f"W1-{sha256(self.participant.encode()).hexdigest()[:12].upper()}"


class Ending(StudyModel):
    """What participants are given at one ending.

    Attributes:
        code: what they give the platform.
        redirect: the page of the platform to which they go back; ``{NAME}`` stands for a parameter of their link.
    """

    code: CompletionCode | None = None
    redirect: Webpage | None = None


class Online(ConsistentModel):
    """The table `[online]` of a study.

    Attributes:
        participant, study, session: the names of the link's parameters with the ids.
        completion_code, return_link: what participants are given who have finished.
        endings: what they are given at each ending; nothing at one that is not named.
    """

    participant: ParameterName = "PROLIFIC_PID"
    study: ParameterName = "STUDY_ID"
    session: ParameterName = "SESSION_ID"
    completion_code: Annotated[CompletionCode | None, Field(alias="completion-code")] = None
    return_link: Annotated[Webpage | None, Field(alias="return-link")] = None
    endings: dict[EndingKey, Ending] = Field(default_factory=dict)

    def _problems(self) -> Iterator[Problem]:
        if "finished" in self.endings and (self.completion_code or self.return_link):
            yield ["endings", "finished"], "completion-code and return-link say that, too; leave them out"
        parameters = self.parameters.values()
        for ending, entry in self.endings.items():
            for name in PLACEHOLDER.findall(entry.redirect or ""):
                if name not in parameters:
                    message = f"{{{name}}} is no parameter of the link; {instead(name, parameters)}"
                    yield ["endings", ending, "redirect"], message

    @property
    def parameters(self) -> dict[str, str]:
        """The names of the link's parameters, by the fields of `PlatformIds`."""
        return {"participant": self.participant, "study": self.study, "session": self.session}

    def code_and_link(self, ending: str, ids: PlatformIds | None) -> dict[str, str]:
        """Returns what the page in the browser shows at an ending: `code` and `link`, as far as there are such.

        Args:
            ending: its name; where the study has no entry for it, one that `INSTEAD` names counts.
            ids: those of the participant, for the address.
        """
        entry = self._entry(ending)
        values = {}
        if entry.code:
            values["code"] = entry.code
        if entry.redirect:
            values["link"] = self._link(entry.redirect, ids)
        return values

    def _entry(self, ending: str) -> Ending:
        """Returns the entry of an ending, or of the first one that counts instead; one that gives nothing if none."""
        finished = Ending(code=self.completion_code, redirect=self.return_link)
        entries = {"finished": finished} | self.endings
        for name in (ending, *INSTEAD.get(ending, ())):
            if name in entries:
                return entries[name]
        return Ending()

    def _link(self, redirect: str, ids: PlatformIds | None) -> str:
        """Returns an address in which the participant's ids stand for the parameters of the link."""
        values = {name: getattr(ids, field, None) or "" for field, name in self.parameters.items()}
        return PLACEHOLDER.sub(lambda match: values.get(match[1], match[0]), redirect)


def said_at(online: Online | None, ending: str, ids: PlatformIds | None) -> str:
    """Returns the lines with code and address that a participant reads at an ending; "" if there are none."""
    if online is None:
        return ""
    texts = marked({"code": "Your completion code: {given}", "link": "Go back to {given}"})
    lines = [say(texts[name], given=value) for name, value in online.code_and_link(ending, ids).items()]
    return "\n\n".join(lines)


def ids_of(online: Online, query: Mapping[str, str], visitor: str | None = None) -> PlatformIds | None:
    """Returns the ids in the parameters of a link; None if it has no participant's id.

    Args:
        online: how the parameters are called.
        query: the parameters.
        visitor: the browser's cookie.

    Raises:
        BBAError: an id has other characters than letters, digits, - and _, or more than 64.
    """
    ids = {field: query[name] for field, name in online.parameters.items() if query.get(name)}
    if "participant" not in ids:
        return None
    digest = None
    if visitor is not None:
        digest = sha256(visitor.encode()).hexdigest()[:16]
    try:
        return PlatformIds.model_validate({**ids, "visitor": digest})
    except ValidationError as error:
        field = str(error.errors()[0]["loc"][0])
        name = online.parameters.get(field, "the link")
        raise BBAError(say("{name}: 1 to 64 letters, digits, - and _", name=name)) from None
