"""The ids of a recruiting platform in the link: checked, kept in a cookie, and told to the visitor's process."""

import secrets
from collections.abc import Mapping
from urllib.parse import parse_qsl, urlencode

from aiohttp import web

from bba.errors import BBAError
from human.study.online import IDS, Online, PlatformIds, ids_of

VISITOR = "bba-tui-visitor"  # the cookie by which a visitor who comes again is known
LINK = "bba-tui-link"  # the cookie with the ids of the link
KEPT = 30 * 24 * 3600  # seconds for which both are kept: a study may be continued on another day
MISSING = "The link has no id of a participant. Please come from the page that sent you here.\n"


class LinkIds:
    """What a server knows of who its visitors are.

    Args:
        online: the table of the study; None where visitors have no ids.
        secure: whether cookies are sent through TLS only.
    """

    def __init__(self, online: Online | None, *, secure: bool) -> None:
        self._online, self._secure = online, secure

    def keep(self, request: web.Request, answer: web.StreamResponse) -> None:
        """Sets the cookies that are to be set with a page.

        Raises:
            HTTPBadRequest: the link has no id of a participant, or an impossible one.
        """
        visitor = request.cookies.get(VISITOR)
        if visitor is None:
            self._set(answer, VISITOR, secrets.token_urlsafe(16))
        if self._online is None:
            return
        try:
            given = ids_of(self._online, request.query)
            if given is not None:
                names = (self._online.participant, self._online.study, self._online.session)
                self._set(
                    answer, LINK, urlencode({name: request.query[name] for name in names if name in request.query})
                )
            elif self._kept(request) is None:
                raise BBAError(MISSING.strip())
        except BBAError as error:
            raise web.HTTPBadRequest(text=f"{error}\n") from None

    def environment(self, request: web.Request) -> Mapping[str, str]:
        """Returns the variables by which a visitor's process is told its ids.

        Raises:
            BBAError: the study needs ids, and the visitor has none.
        """
        if self._online is None:
            return {}
        ids = self._kept(request)
        if ids is None:
            raise BBAError(MISSING.strip())
        return {IDS: ids.model_dump_json()}

    def _kept(self, request: web.Request) -> PlatformIds | None:
        """Returns the ids in the visitor's cookie."""
        if self._online is None:
            return None
        kept = dict(parse_qsl(request.cookies.get(LINK, "")[:600]))
        return ids_of(self._online, kept, request.cookies.get(VISITOR))

    def _set(self, answer: web.StreamResponse, name: str, value: str) -> None:
        answer.set_cookie(name, value, max_age=KEPT, httponly=True, samesite="Lax", secure=self._secure, path="/")
