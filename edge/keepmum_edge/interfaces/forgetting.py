"""`/keepmum/v1/`: forgetting and its receipts, for the owner only.

| route                                  | body -> answer                                             |
|----------------------------------------|------------------------------------------------------------|
| POST forget/preview                    | ids, matching, scope or all -> what would go, and a digest |
| POST forget                            | the same and the digest -> receipt                         |
| DELETE memories/ID                     | -> what became of one memory                               |
| GET  receipts[?limit=], receipts/ID    | -> receipts (and notice, if there is one), one receipt      |
"""

import json
import re
from typing import Any, Final

from keepmum_shared import codec
from keepmum_shared.ids import is_id
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from keepmum_edge.daemon.forget.forgetting import Preview
from keepmum_edge.daemon.forget.request import ForgetRequest
from keepmum_edge.daemon.forget.store import SignedReceipt
from keepmum_edge.errors import InvalidRequestError, NotFoundError
from keepmum_edge.interfaces.exchange import read_json
from keepmum_edge.interfaces.openai.fields import a_list, an_object, flag, label, refuse_unknown, text
from keepmum_edge.interfaces.service import EdgeService
from keepmum_edge.memory.names import scope_named
from keepmum_edge.memory.record import MemoryRecord

Json = dict[str, Any]

_MOST_RECEIPTS: Final = 1000
_RECEIPT: Final = re.compile(r"forget_[0-9a-f]{20}")
_CLOUD: Final = {"confirmed": "deleted", "pending": "queued", "never_sent": "never_sent"}


def forget_routes(service: EdgeService, prefix: str) -> list[Route]:
    """Return the routes over one daemon, below a prefix."""

    async def preview(request: Request) -> Response:
        body = await _body(request, "ids", "matching", "scope", "all")
        return JSONResponse(preview_json(await service.preview_forget(_wanted(body))))

    async def forget(request: Request) -> Response:
        body = await _body(request, "ids", "matching", "scope", "all", "digest")
        digest = text(body, "digest", "", least=1, most=64)
        return JSONResponse(receipt_json(await service.forget(_wanted(body), digest=digest)))

    async def forget_one(request: Request) -> Response:
        memory = request.path_params["memory"]
        if not is_id(memory, "mem"):
            raise NotFoundError("no such memory; `keepmum memory list` lists them", param="memory")
        receipt = (await service.forget(ForgetRequest(ids=(memory,)))).receipt
        return JSONResponse({"id": memory, "edge_deleted": True, "cloud": _CLOUD[receipt.cloud], "receipt": receipt.id})

    async def receipts(request: Request) -> Response:
        limit = request.query_params.get("limit", "20")
        if not limit.isdecimal() or not 1 <= int(limit) <= _MOST_RECEIPTS:
            raise InvalidRequestError(f"limit: must be 1 to {_MOST_RECEIPTS}", param="limit")
        found = [receipt_json(receipt) for receipt in await service.receipts(int(limit))]
        notice = await service.cloud_notice()
        return JSONResponse({"receipts": found} if notice is None else {"receipts": found, "notice": notice})

    async def receipt(request: Request) -> Response:
        wanted = request.path_params["receipt"]
        if not _RECEIPT.fullmatch(wanted):
            raise NotFoundError("no such receipt; `keepmum receipts` lists them", param="receipt")
        return JSONResponse(receipt_json(await service.receipt(wanted)))

    return [
        Route(f"{prefix}/forget/preview", preview, methods=["POST"]),
        Route(f"{prefix}/forget", forget, methods=["POST"]),
        Route(f"{prefix}/memories/{{memory}}", forget_one, methods=["DELETE"]),
        Route(f"{prefix}/receipts", receipts, methods=["GET"]),
        Route(f"{prefix}/receipts/{{receipt}}", receipt, methods=["GET"]),
    ]


def receipt_json(signed: SignedReceipt) -> Json:
    """Return a receipt as it is signed, with its signature and whether the look afterwards found nothing."""
    plain: Json = json.loads(codec.encode(signed.receipt))
    return {"receipt": plain, "signature": signed.signature, "verified": signed.receipt.verified}


def preview_json(preview: Preview) -> Json:
    """Return what would go; its texts are private and for the owner."""
    return {
        "digest": preview.digest,
        "memories": [_line(record) for record in preview.asked],
        "derived": [_line(record) for record in preview.derived],
        "rebuilt": list(preview.rebuilt),
        "trimmed": list(preview.trimmed),
        "values": {str(token): value for token, value in sorted(preview.values.items())},
        "turns": preview.turns,
        "conversations": preview.conversations,
        "messages": preview.messages,
        "at_cloud": preview.at_cloud,
        "erases_cloud": preview.erases_cloud,
    }


def _line(record: MemoryRecord) -> Json:
    return {"id": record.id, "scope": record.scope, "text": record.text, "at_cloud": record.shared_at is not None}


def _wanted(body: Json) -> ForgetRequest:
    ids = a_list(body["ids"], "ids", least=1, most=1000) if body.get("ids") is not None else []
    if not all(isinstance(each, str) and (is_id(each, "mem") or is_id(each, "turn")) for each in ids):
        raise NotFoundError("no such memory; `keepmum memory list` lists them", param="ids")
    return ForgetRequest(
        ids=tuple(dict.fromkeys(ids)),
        matching=text(body, "matching", ""),
        scope=label(body, "scope", scope_named),
        everything=flag(body, "all") or False,
    )


async def _body(request: Request, *fields: str) -> Json:
    body = an_object(await read_json(request), "")
    refuse_unknown(body, fields, "")
    return dict(body)
