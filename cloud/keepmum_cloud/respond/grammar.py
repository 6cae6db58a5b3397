"""What the answer must match: `response_format` and forced tool calls, as a JSON schema with bounds (pure).

A small model that may write a string of any length writes on for ever; every string and list without a bound gets
one, so that a forced call ends by itself.
"""

from typing import Any, Final

from keepmum_cloud.errors import UnsupportedRequestError

MAX_STRING: Final = 240
MAX_LIST: Final = 16
_MAX_SCHEMA_DEPTH: Final = 24


def response_schema(response_format: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return the schema that the answer must match, or None for free text.

    Raises:
        UnsupportedRequestError: `response_format` is of no known form.
    """
    if response_format is None:
        return None
    kind = response_format.get("type")
    if kind == "text":
        return None
    if kind == "json_object":
        return {"type": "object"}
    inner = response_format.get("json_schema")
    schema = inner.get("schema") if isinstance(inner, dict) else None
    if kind != "json_schema" or not isinstance(schema, dict):
        raise UnsupportedRequestError("response_format", "must be text, json_object, or json_schema with a schema")
    return schema


def bounded(schema: Any, depth: int = 0) -> Any:
    """Return the schema with a bound on every string and list that has none.

    Raises:
        UnsupportedRequestError: it is nested too deep.
    """
    if depth > _MAX_SCHEMA_DEPTH:
        raise UnsupportedRequestError("schema", f"is nested deeper than {_MAX_SCHEMA_DEPTH}")
    if isinstance(schema, list):
        return [bounded(inner, depth + 1) for inner in schema]
    if not isinstance(schema, dict):
        return schema
    inside = {key: inner if key in ("enum", "const") else bounded(inner, depth + 1) for key, inner in schema.items()}
    if schema.get("type") == "string" and not schema.keys() & {"enum", "const", "pattern", "format", "maxLength"}:
        inside["maxLength"] = max(MAX_STRING, _minimum(schema, "minLength"))
    if schema.get("type") == "array" and "maxItems" not in schema:
        inside["maxItems"] = max(MAX_LIST, _minimum(schema, "minItems"))
    return inside


def _minimum(schema: dict[str, Any], key: str) -> int:
    value = schema.get(key, 0)
    return value if type(value) is int else 0
