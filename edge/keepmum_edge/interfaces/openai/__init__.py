"""The OpenAI-compatible side: `schema` reads requests, `render` writes answers, `errors` errors; `routes` serves."""
