"""The cloud half: it runs the response model and the memory operations, and sees placeholders only (design section 1).

The life of one turn: `journal` numbers the request; `app` reads its headers; `auth` finds the device, and once the
body is read checks signature, clock and nonce; only then `codec` parses it. `turns` stores the memory writes it
brings, recalls memories of its scope (`memory`), and builds the prompt (`respond.prompt`); a `respond.responder`
answers; `answer_stream` sends the pieces as they come. What stays of it: the memory writes, one nonce, and a line of
ids and milliseconds in the log.
"""
