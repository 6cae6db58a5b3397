"""Trained models at run time: ONNX sessions, subwords, windows, decoding; and search with what they say.

`tagger` finds private spans, `embedder` turns texts into vectors, `retrieval` finds memories. Used by edge, cloud and
models. Needs numpy, onnxruntime, tokenizers and snowballstemmer; knows neither half and never imports torch. Pure but
for `manifest`, which reads the files of a folder, and `session`, which starts the runtime.
"""
