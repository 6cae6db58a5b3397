"""Settings of every test: a property fails for what it finds, not for how long a busy machine took."""

from hypothesis import settings

settings.register_profile("keepmum", deadline=None)
settings.load_profile("keepmum")
