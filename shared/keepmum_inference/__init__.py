"""Trained models at run time: ONNX sessions, subwords, windows, decoding; and search with what they say.

`tagger` finds private spans, `embedder` turns texts into vectors, `retrieval` finds memories. Used by edge, cloud and
models. Needs numpy, onnxruntime, tokenizers and snowballstemmer; knows neither half and never imports torch. Pure but
for `manifest`, which reads the files of a folder, and `session`, which starts the runtime.
"""

import os

# The runtime's own switch, read when it is first imported: it would note each start in the user's home, and tell its
# maker over the network.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
