"""The edge: a daemon on the user's own computer that knows everything and sends only placeholders.

The life of one turn: an interface hands the daemon a chat request (`interfaces`); `daemon.identity` says which
conversation and turn it is; `spans` finds the private words and `vault.pseudonymise` replaces them, durably, before
anything leaves; `daemon.views` releases what protected memory may influence, charged and durable; at a fixed time
`daemon.cloud_client` signs and sends one request; `vault.stream` puts the values back while the answer arrives;
`daemon.store` keeps the placeholder answer for a retry and a trace. If any part that protects fails, nothing is sent.
"""
