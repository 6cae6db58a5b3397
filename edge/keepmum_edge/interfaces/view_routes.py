"""The owner's routes over views, below `/keepmum/v1/`. For the owner only: the words name what was drawn.

| route                  | body -> answer                                                                    |
|------------------------|-----------------------------------------------------------------------------------|
| GET  budget            | -> attributes with ledgers, released views, words; silenced slots; clock; notices |
| POST budget/silence    | slot -> budget                                                                    |
| POST budget/unsilence  | slot -> budget                                                                    |
| POST budget/clock      | -> budget; the owner says that the clock is right                                 |
| GET  policy            | -> the public policy in force: attributes, slots, facets with k, epsilon, P(best) |

Epsilons are whole numbers of nano-epsilon.
"""

from dataclasses import asdict
from typing import Any

from keepmum_shared.view import Facet, Policy
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from keepmum_edge.daemon.views.overview import WHAT_IT_BOUNDS, Budget
from keepmum_edge.interfaces.exchange import read_json
from keepmum_edge.interfaces.openai.fields import an_object, refuse_unknown, required_text
from keepmum_edge.interfaces.service import EdgeService
from keepmum_edge.views.account import Account

Json = dict[str, Any]


def view_routes(service: EdgeService, prefix: str) -> list[Route]:
    """Return the routes over one daemon, below a prefix."""

    async def budget(_: Request) -> Response:
        return JSONResponse(_budget(await service.budget()))

    async def silence(request: Request) -> Response:
        await service.silence(await _slot(request))
        return await budget(request)

    async def unsilence(request: Request) -> Response:
        await service.unsilence(await _slot(request))
        return await budget(request)

    async def clock(request: Request) -> Response:
        await service.confirm_clock()
        return await budget(request)

    async def policy(_: Request) -> Response:
        return JSONResponse(_policy((await service.budget()).in_force.policy))

    return [
        Route(f"{prefix}/budget", budget, methods=["GET"]),
        Route(f"{prefix}/budget/silence", silence, methods=["POST"]),
        Route(f"{prefix}/budget/unsilence", unsilence, methods=["POST"]),
        Route(f"{prefix}/budget/clock", clock, methods=["POST"]),
        Route(f"{prefix}/policy", policy, methods=["GET"]),
    ]


async def _slot(request: Request) -> str:
    body = an_object(await read_json(request), "")
    refuse_unknown(body, ("slot",), "")
    return required_text(body, "slot", "", most=64)


def _budget(budget: Budget) -> Json:
    in_force = budget.in_force
    return {
        "policy": in_force.policy.digest,
        "release_policy": in_force.release,
        "mechanism": in_force.mechanism,
        "period": budget.calendar.period,
        "first_date": budget.calendar.first_date,
        "until": budget.until,
        "clock": None if budget.clock is None else asdict(budget.clock),
        "attributes": [_account(account) for account in budget.accounts],
        "silenced": list(budget.silenced),
        "notices": list(budget.notices),
        "bounds": WHAT_IT_BOUNDS,
    }


def _account(account: Account) -> Json:
    return {
        "id": account.attribute,
        "label": account.label,
        "spent": account.spent,
        "cap": account.cap,
        "lifetime": account.lifetime,
        "lifetime_cap": account.lifetime_cap,
        "sent": account.sent,
        "doubted": account.doubted,
        "state": account.state,
        "words": account.words(),
        "views": [asdict(view) for view in account.views],
    }


def _policy(policy: Policy) -> Json:
    reports = {report.facet: report for report in policy.reports()}

    def facet(each: Facet) -> Json:
        report = reports.get(each.id)
        drawn = {} if report is None else {"epsilon": report.epsilon, "p_best": f"0.{int(report.p_best * 1000):03d}"}
        views = [
            {"id": view.id, "name": view.name, "wordings": {str(on): text for on, text in view.wordings.items()}}
            for view in each.views
        ]
        return {"id": each.id, "slot": each.slot, "topics": sorted(each.topics), "views": views, **drawn}

    return {
        "version": policy.version,
        "digest": policy.digest,
        "tau": policy.tau,
        "period_days": policy.period_days,
        "first_period_days": policy.first_period_days,
        "attributes": [
            {
                "id": each.id,
                "label": each.label,
                "cap": each.cap,
                "lifetime_cap": each.lifetime_cap,
                "slots": list(policy.layout.slots_of(each.id)),
            }
            for each in policy.layout.attributes.values()
        ],
        "slots": [
            {"id": each.id, "label": each.label, "capacity": each.capacity, "attributes": sorted(each.attributes)}
            for each in policy.layout.slots.values()
        ],
        "facets": [facet(each) for each in policy.vocabulary.facets.values()],
        "warnings": list(policy.warnings()),
    }
