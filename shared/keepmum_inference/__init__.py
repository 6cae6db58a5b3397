"""Trained models at run time: ONNX sessions, subwords, windows, decoding. Used by edge, cloud and models.

Needs numpy, onnxruntime and tokenizers; knows neither half and never imports torch. Pure but for `artefact`, which
reads the files of a folder, and `session`, which starts the runtime.
"""
