"""Training side of Keepmum: corpus, training, export, evaluation. Never imported by the product."""
