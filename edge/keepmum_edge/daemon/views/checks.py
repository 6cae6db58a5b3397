"""What `keepmum doctor` says of views: ledger, policy, clock, and whether requests leave in time."""

from collections.abc import Iterator

from keepmum_shared.view import PolicyError, format_epsilon

from keepmum_edge.daemon.departures import Departures
from keepmum_edge.daemon.doctor import Check
from keepmum_edge.daemon.views.overview import ViewsOverview, in_words
from keepmum_edge.errors import UnavailableError


def check_views(overview: ViewsOverview, departures: Departures) -> Iterator[Check]:
    """Look at each part; on the writer's thread.

    Raises:
        UnavailableError: the database cannot be read.
    """
    try:
        budget, wrong = overview.budget(), overview.wrong_log()
    except UnavailableError as error:
        yield Check(name="views", status="fail", detail=error.part, next_step=error.next_step)
        return
    except PolicyError as error:
        detail = f"a view policy in the database cannot be read ({error})"
        yield Check(name="views", status="fail", detail=detail, next_step="Update Keepmum.")
        return
    if wrong:
        detail = f"the ledger does not add up: {wrong[0]}"
        yield Check(name="views", status="fail", detail=detail, next_step="Report it; set no more periods.")
    else:
        most = max(account.lifetime for account in budget.accounts)
        spent = f"at most ε {format_epsilon(most)} spent on an attribute"
        if any(account.doubted for account in budget.accounts):
            spent = "but an older one was found, so what was spent is not known and nothing more is drawn"
        detail = f"{in_words(budget.in_force)}; the ledger adds up, {spent}"
        yield Check(name="views", status="ok", detail=detail)
    for notice in budget.notices:
        yield Check(name="views", status="warn", detail=notice, next_step="`keepmum budget` shows all of it.")
    late = f"{departures.late} of {departures.departed} requests were not ready at their first tick"
    yield Check(name="departures", status="ok", detail=f"{late} and left at a later one")
