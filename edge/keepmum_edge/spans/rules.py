"""The rule extractor: every family of patterns over one reading of the text, then one span a stretch."""

from typing import Final

from keepmum_shared.taxonomy import Level, default_level

from keepmum_edge.spans.extractor import Cancelled, TextKind, fail_closed, stop_if
from keepmum_edge.spans.finding import Finding, Rule
from keepmum_edge.spans.merge import merge
from keepmum_edge.spans.normalise import Reading, read
from keepmum_edge.spans.patterns import phone
from keepmum_edge.spans.patterns.answers import find_answers
from keepmum_edge.spans.patterns.assignments import find_assignments
from keepmum_edge.spans.patterns.birth import find_births
from keepmum_edge.spans.patterns.codes import find_one_time_codes, find_pins, find_security_answers
from keepmum_edge.spans.patterns.commands import find_command_secrets
from keepmum_edge.spans.patterns.conditions import find_conditions
from keepmum_edge.spans.patterns.contact import find_emails
from keepmum_edge.spans.patterns.credentials import find_credential_pairs
from keepmum_edge.spans.patterns.documents import find_documents
from keepmum_edge.spans.patterns.examples import without_examples
from keepmum_edge.spans.patterns.finance import find_accounts, find_cards, find_ibans, find_wallets
from keepmum_edge.spans.patterns.headers import find_authorization, find_cookies
from keepmum_edge.spans.patterns.identity import find_identifiers
from keepmum_edge.spans.patterns.login_files import find_login_files
from keepmum_edge.spans.patterns.money import find_money
from keepmum_edge.spans.patterns.network import find_addresses, find_devices
from keepmum_edge.spans.patterns.passwords import find_passwords
from keepmum_edge.spans.patterns.people import find_people
from keepmum_edge.spans.patterns.people_chinese import find_chinese_people
from keepmum_edge.spans.patterns.places import find_places
from keepmum_edge.spans.patterns.places_chinese import find_chinese_places
from keepmum_edge.spans.patterns.private_keys import find_private_keys
from keepmum_edge.spans.patterns.profiles import find_handles, find_profiles
from keepmum_edge.spans.patterns.provider_keys import find_provider_keys
from keepmum_edge.spans.patterns.secret_columns import find_secret_columns
from keepmum_edge.spans.patterns.seed_phrases import find_seed_phrases
from keepmum_edge.spans.patterns.sent_codes import find_sent_codes
from keepmum_edge.spans.patterns.sessions import find_sessions
from keepmum_edge.spans.patterns.spoken_codes import find_spoken_codes
from keepmum_edge.spans.patterns.urls import find_signed_parameters, find_url_credentials
from keepmum_edge.spans.recurrence import find_again, is_distinct
from keepmum_edge.spans.span import PrivateSpan

MODEL_ID: Final = "rules-8"
"""Changes whenever the same text may give other spans."""

RULES: Final[tuple[Rule, ...]] = (
    find_emails,
    find_profiles,
    find_handles,
    phone.find_phones,
    find_addresses,
    find_devices,
    find_cards,
    find_ibans,
    find_accounts,
    find_wallets,
    find_identifiers,
    find_documents,
    find_births,
    find_provider_keys,
    find_private_keys,
    find_assignments,
    find_url_credentials,
    find_signed_parameters,
    find_authorization,
    find_cookies,
    find_sessions,
    find_command_secrets,
    find_passwords,
    find_credential_pairs,
    find_answers,
    find_login_files,
    find_secret_columns,
    find_one_time_codes,
    find_sent_codes,
    find_pins,
    find_spoken_codes,
    find_security_answers,
    find_seed_phrases,
    find_people,
    find_chinese_people,
    find_places,
    find_chinese_places,
    find_money,
    find_conditions,
)


class RuleExtractor:
    """Finds private spans by form, check digit and context. Deterministic, no model, no state.

    Of names, addresses, incomes and health it finds only those in an unmistakable form ("My name is ..."), not
    those in free text.
    """

    def __init__(self) -> None:
        phone.warm()

    @property
    def model_id(self) -> str:
        """Name and version of the rules."""
        return MODEL_ID

    def extract(
        self, text: str, *, kind: TextKind = TextKind.PROSE, cancelled: Cancelled | None = None
    ) -> tuple[PrivateSpan, ...]:
        """Return spans sorted by `start`, not overlapping; the whole text is read, in time linear in its length.

        Raises:
            ExtractorUnavailableError: a rule failed, or the reading was cancelled; never a partial result.
        """
        with fail_closed("the span rules"):
            return _extract(text, cancelled)


def _extract(text: str, cancelled: Cancelled | None) -> tuple[PrivateSpan, ...]:
    if not text:
        return ()
    reading = read(text)
    findings: list[Finding] = []
    for rule in RULES:
        stop_if(cancelled)
        findings += rule(reading)
    findings = _without_hosts_as_mail(reading, list(without_examples(reading, findings)))
    found = [_span(text, reading, finding) for finding in findings]
    return merge(text, found, _recurrences(text, found)) if found else ()


def _without_hosts_as_mail(reading: Reading, findings: list[Finding]) -> list[Finding]:
    """Drop an address whose `@` ends the password of a URL: it is the end of the password and the host."""
    ends = {finding.end for finding in findings if finding.source == "url-password"}
    if not ends:
        return findings
    return [f for f in findings if f.source != "email" or reading.text.find("@", f.start, f.end) not in ends]


def _span(text: str, reading: Reading, finding: Finding) -> PrivateSpan:
    start, end = reading.original(finding.start, finding.end)
    return PrivateSpan(
        start=start,
        end=end,
        entity_type=finding.entity_type,
        level=default_level(finding.entity_type),
        source=finding.source,
        certainty=finding.certainty,
        surface=text[start:end],
    )


def _recurrences(text: str, found: list[PrivateSpan]) -> tuple[PrivateSpan, ...]:
    """The same secret elsewhere in the text, where no context gives it away.

    Only PL4 values that are distinct. Where two rules name one value differently, the surer one does.
    """
    secrets = [s for s in found if s.level is Level.PL4 and is_distinct(s.surface)]
    secrets.sort(key=lambda secret: (-secret.certainty, secret.entity_type))  # the first of a surface gives its type
    return find_again(text, ((s.surface, s.entity_type, s.level) for s in secrets)) if secrets else ()
