"""A Ray dataset is answered as a table is. Starts processes, so that it runs only where it is named."""

import os
import random

import pytest

pa = pytest.importorskip("pyarrow")
if "SUTLER_RAY" not in os.environ:
    pytest.skip("set SUTLER_RAY to run it", allow_module_level=True)
ray = pytest.importorskip("ray")


def test_a_dataset_is_answered(kings):
    from sutler.ray import ask_many

    ray.init(num_cpus=1, include_dashboard=False, configure_logging=False)
    try:
        spaces, dice = kings.setup("opening").spaces, random.Random(1)
        words = dice.choices([*spaces, None, "nowhere"], k=300)
        table = pa.table({"n": range(300), "F3.space": words})
        answers = ask_many(ray.data.from_arrow(table), kings, "supply", like="opening", keep="n")
        rows = sorted(answers.take_all(), key=lambda row: row["n"])
        expected = pa.table(kings.ask_many(table, "supply", like="opening", keep="n")).to_pylist()
        for row, own in zip(rows, expected, strict=True):
            assert row["F3.yes"] == own["F3.yes"] and row["F1.yes"] == own["F1.yes"]
            assert bool(row["error"]) == bool(own["error"])
    finally:
        ray.shutdown()
