"""The owner's routes over memory, below `/keepmum/v1/`. Consent is asked and answered here alone.

| route                                  | body -> answer                                            |
|----------------------------------------|-----------------------------------------------------------|
| GET  memories[?scope=][&closed=1]      | -> memories                                               |
| POST memories                          | text, scope, ... -> memory, others, closed, asked         |
| POST memories/search                   | query, scope, limit -> memories, by_meaning_only          |
| GET  memories/ID                       | -> memory, with all its fields                            |
| PATCH memories/ID                      | text, scope, importance, audiences, revision -> memory    |
| POST memories/ID/confirm               | -> memory, at full trust                                  |
| POST memories/ID/preview-share         | -> text: exactly what would go to the cloud               |
| POST memories/ID/share                 | shown_text -> memory; it goes with the next turn          |
| GET  traces/TURN/memories              | -> turn, at, typed, model, failure, used, kept, views     |
| GET  pending                           | -> pending, unanswered                                    |
| POST pending/ID                        | keep -> memory, or null                                   |
"""

import time
from typing import Any, Final

from keepmum_shared.ids import ConversationId, MemoryId, TurnId, is_id
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from keepmum_edge.daemon.memory_commands import Edit, Telling
from keepmum_edge.daemon.memory_keeping import NOTHING_WAITS
from keepmum_edge.daemon.memory_writing import Written
from keepmum_edge.errors import InvalidRequestError, NotFoundError
from keepmum_edge.interfaces.exchange import read_json
from keepmum_edge.interfaces.openai.fields import (
    an_object,
    flag,
    integer,
    label,
    named,
    refuse_unknown,
    required_text,
    text,
)
from keepmum_edge.interfaces.openai.render import view_json
from keepmum_edge.interfaces.service import EdgeService
from keepmum_edge.memory.names import scope_named
from keepmum_edge.memory.record import Channel, MemoryRecord
from keepmum_edge.memory.record_search import search_terms
from keepmum_edge.memory.scope import Reach

Json = dict[str, Any]

PREFIX: Final = "/keepmum/v1"
_MOST_HITS: Final = 100
_MOST_SOURCES: Final = 1000
_TOLD_THROUGH: Final = tuple(each for each in Channel if each not in (Channel.CHAT, Channel.BEHAVIOUR))
"""The others are of messages, which do not come this way."""


def memory_routes(service: EdgeService) -> list[Route]:
    """Return the routes over one daemon."""
    return [*_collection(service), *_single(service), *_consent(service)]


def _collection(service: EdgeService) -> list[Route]:
    async def memories(request: Request) -> Response:
        scope = request.query_params.get("scope")
        records = await service.memories(None if scope is None else named(scope, "scope", scope_named))
        closed = request.query_params.get("closed", "1") != "0"
        now = int(time.time())
        shown = [memory_json(record) for record in records if closed or record.holds_at(now)]
        return JSONResponse({"memories": shown})

    async def remember(request: Request) -> Response:
        written = await service.remember(_telling(await _body(request, *_TELLING)))
        return JSONResponse(_written(written), status_code=201 if written.kept or written.known else 202)

    async def search(request: Request) -> Response:
        body = await _body(request, "query", "scope", "limit")
        limit = integer(body, "limit", least=1, most=_MOST_HITS) or 10
        scope = label(body, "scope", scope_named)
        query = required_text(body, "query", "")
        records = await service.search_memories(query, scope, limit)
        terms = [term.casefold() for term in search_terms(query)]
        by_words = any(term in record.text.casefold() for term in terms for record in records)
        shown = [memory_json(record) for record in records]
        return JSONResponse({"memories": shown, "by_meaning_only": bool(records) and not by_words})

    async def why(request: Request) -> Response:
        wanted = request.path_params["turn"]
        if wanted != "newest" and not is_id(wanted, "turn"):
            raise NotFoundError("no such turn; `keepmum trace --last 20` lists them", param="turn")
        trace = await service.trace(None if wanted == "newest" else TurnId(wanted))
        found = await service.why(trace.turn)
        used, kept = ([memory_json(record) for record in records] for records in (found.used, found.kept))
        turn = {name: getattr(trace, name) for name in ("turn", "at", "typed", "model", "failure")}
        return JSONResponse({**turn, "used": used, "kept": kept, "views": [view_json(view) for view in found.views]})

    return [
        Route(f"{PREFIX}/memories", memories, methods=["GET"]),
        Route(f"{PREFIX}/memories", remember, methods=["POST"]),
        Route(f"{PREFIX}/memories/search", search, methods=["POST"]),
        Route(f"{PREFIX}/traces/{{turn}}/memories", why, methods=["GET"]),
    ]


def _single(service: EdgeService) -> list[Route]:
    async def show(request: Request) -> Response:
        return JSONResponse(memory_json(await service.memory(memory_id(request))))

    async def edit(request: Request) -> Response:
        body = await _body(request, "text", "scope", "importance", "audiences", "valid_to", "revision")
        wanted = Edit(
            text=text(body, "text", ""),
            scope=label(body, "scope", scope_named),
            importance=integer(body, "importance", least=0, most=100),
            audiences=None if body.get("audiences") is None else _labels(body, "audiences"),
            valid_to=integer(body, "valid_to", least=0, most=2**53 - 1),
            revision=integer(body, "revision", least=1, most=2**31),
        )
        return JSONResponse(memory_json(await service.edit_memory(memory_id(request), wanted)))

    async def confirm(request: Request) -> Response:
        return JSONResponse(memory_json(await service.confirm_memory(memory_id(request))))

    async def preview_share(request: Request) -> Response:
        return JSONResponse({"text": await service.preview_share(memory_id(request))})

    async def share(request: Request) -> Response:
        shown = required_text(await _body(request, "shown_text"), "shown_text", "")
        return JSONResponse(memory_json(await service.share(memory_id(request), shown)))

    one = f"{PREFIX}/memories/{{memory}}"
    return [
        Route(one, show, methods=["GET"]),
        Route(one, edit, methods=["PATCH"]),
        Route(f"{one}/confirm", confirm, methods=["POST"]),
        Route(f"{one}/preview-share", preview_share, methods=["POST"]),
        Route(f"{one}/share", share, methods=["POST"]),
    ]


def _consent(service: EdgeService) -> list[Route]:
    async def pending(_: Request) -> Response:
        waiting, unanswered = await service.pending()
        shown = [
            {
                "id": asked.id,
                "category": asked.category,
                "asked_at": asked.asked_at,
                "text": asked.draft[0].text,
                "scope": asked.draft[1].reach.scope,
            }
            for asked in waiting
        ]
        notes = [{"id": note.id, "category": note.category, "asked_at": note.asked_at} for note in unanswered]
        return JSONResponse({"pending": shown, "unanswered": notes})

    async def answer(request: Request) -> Response:
        keep = flag(await _body(request, "keep"), "keep")
        if keep is None:
            raise InvalidRequestError("keep: must be true or false", param="keep")
        if not is_id(request.path_params["memory"], "mem"):
            raise NotFoundError(NOTHING_WAITS, param="memory")
        record = await service.answer_pending(memory_id(request), keep=keep)
        return JSONResponse({"memory": None if record is None else memory_json(record)})

    return [
        Route(f"{PREFIX}/pending", pending, methods=["GET"]),
        Route(f"{PREFIX}/pending/{{memory}}", answer, methods=["POST"]),
    ]


_TELLING: Final = ("text", "scope", "application", "audiences", "channel", "sources", "here_only", "conversation")


def _telling(body: Json) -> Telling:
    channel = text(body, "channel", "") or Channel.COMMAND
    if channel not in _TOLD_THROUGH:
        allowed = ", ".join(_TOLD_THROUGH)
        raise InvalidRequestError(f"channel: must be one of {allowed}", param="channel")
    conversation = text(body, "conversation", "")
    if conversation is not None and not is_id(conversation, "conv"):
        raise InvalidRequestError("conversation: must be an id as a turn's answer gave it", param="conversation")
    return Telling(
        text=required_text(body, "text", ""),
        reach=Reach(
            scope=label(body, "scope", scope_named) or "user",
            application=label(body, "application"),
            audiences=_labels(body, "audiences"),
        ),
        channel=Channel(channel),
        sources=_labels(body, "sources"),
        here_only=flag(body, "here_only") or False,
        conversation=None if conversation is None else ConversationId(conversation),
    )


def memory_json(record: MemoryRecord) -> Json:
    """Return every field of a record."""
    return {
        "id": record.id,
        "kind": record.kind,
        "text": record.text,
        "subject": record.subject,
        "slot": record.slot,
        "attributes": sorted(record.attributes),
        "category": record.category,
        "confidence": record.confidence,
        "importance": record.importance,
        "scope": record.scope,
        "application": record.application,
        "audiences": sorted(record.audiences),
        "created_at": record.created_at,
        "utc_offset_s": record.utc_offset_s,
        "valid_from": record.valid_from,
        "valid_to": record.valid_to,
        "successor": record.successor,
        "channel": record.channel,
        "sources": sorted(record.sources),
        "trust": record.trust,
        "consent": record.consent,
        "last_used": record.last_used,
        "revision": record.revision,
        "cloud": record.cloud,
        "placeholder_text": record.placeholder_text,
        "shared_at": record.shared_at,
        "unclassified": record.unclassified,
    }


def memory_id(request: Request) -> MemoryId:
    """Return the id in the path. Raises NotFoundError for what is none."""
    wanted = request.path_params["memory"]
    if not is_id(wanted, "mem"):
        raise NotFoundError("no such memory; `keepmum memory list` lists them", param="memory")
    return MemoryId(wanted)


def _written(written: Written) -> Json:
    records = (*written.kept, *written.known)
    return {
        **(memory_json(records[0]) if records else {}),
        "others": [memory_json(record) for record in records[1:]],
        "closed": list(written.closed),
        "asked": [{"id": asked.id, "category": asked.category} for asked in written.asked],
    }


async def _body(request: Request, *fields: str) -> Json:
    body = an_object(await read_json(request), "")
    refuse_unknown(body, fields, "")
    return dict(body)


def _labels(body: Json, name: str) -> frozenset[str]:
    given = body.get(name) or []
    if not isinstance(given, list) or len(given) > _MOST_SOURCES or not all(isinstance(each, str) for each in given):
        raise InvalidRequestError(f"{name}: must be a list of names", param=name)
    return frozenset(named(each, name) for each in given)
