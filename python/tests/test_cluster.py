"""Ray and Spark give what one process gives, also where a worker is killed in the middle.

Starts processes, so that it runs only where it is named: `SUTLER_CLUSTER=1`, as `.ci/cluster` does.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys

import pytest
import sutler
from conftest import ROOT, some_positions, with_variants

pa = pytest.importorskip("pyarrow")
if "SUTLER_CLUSTER" not in os.environ:
    pytest.skip("set SUTLER_CLUSTER to run it", allow_module_level=True)
import sutler.ray  # noqa: E402
import sutler.spark  # noqa: E402
from sutler.flips import Flips  # noqa: E402

ROWS, SHARDS, FATAL = 6000, 12, 3300


def dies_once(batches, marker):
    """The same batches; but the first process that meets the fatal position kills itself in its midst."""
    for batch in batches:
        if FATAL in batch.column("n").to_pylist():
            try:
                with open(marker, "x") as file:
                    file.write(str(os.getpid()))
            except FileExistsError:
                pass
            else:
                os.kill(os.getpid(), signal.SIGKILL)
        yield batch


def was_killed(marker):
    pid = int(marker.read_text())
    assert pid != os.getpid()
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return True


class DyingFlips(Flips):
    """Counts, but dies once."""

    def __call__(self, batches):
        return super().__call__(dies_once(batches, self.marker))


class DyingRay(sutler.ray._Asking):
    """Asks, but dies once."""

    def __call__(self, table):
        (marker,) = set(table.column("marker").to_pylist())
        return super().__call__(pa.Table.from_batches(dies_once(table.to_batches(), marker)).drop("marker"))


class DyingSpark(sutler.spark._Asking):
    """Asks, but dies once."""

    marker = ""

    def __call__(self, batches):
        return super().__call__(dies_once(batches, self.marker))


@pytest.fixture(scope="module")
def ray():
    ray = pytest.importorskip("ray")
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])
    ray.init(num_cpus=3, include_dashboard=False, configure_logging=False, log_to_driver=False)
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield ray
    ray.shutdown()


@pytest.fixture(scope="module")
def spark():
    sql = pytest.importorskip("pyspark.sql")
    from pyspark import cloudpickle

    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    os.environ["PYSPARK_PYTHON"] = sys.executable
    # A task is tried four times, as on a cluster.
    session = sql.SparkSession.builder.master("local[2,4]")
    for name, value in {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "250",
    }.items():
        session = session.config(name, value)
    session = session.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture(scope="module")
def positions():
    kings, names = with_variants("bold", "timid", "blockade", "alone")
    return kings, names, some_positions(kings, ROWS, seed=9, wrong=0.0005)


def dataset(ray, table):
    part = ROWS // SHARDS
    return ray.data.from_arrow([pa.table(table).slice(at * part, part) for at in range(SHARDS)])


def frame(spark, table):
    """As words: Spark has no dictionaries."""
    columns = {name: table.column(name) for name in table.schema.names}
    texts = {n: c.cast(pa.string()) if pa.types.is_dictionary(c.type) else c for n, c in columns.items()}
    return spark.createDataFrame(pa.table(texts)).repartition(SHARDS, "n")


def of_one_process(kings, table):
    """The answers of a table by the number of its row, with whether there is an error."""
    return by_number(pa.record_batch(kings.ask_many(table, "supply", like="opening", keep="n")))


def by_number(answers):
    rows = sorted(answers.to_pylist(), key=lambda row: row["n"])
    return [row | {"error": row["error"] and row["error"]["column"]} for row in rows]


def test_ray_counts_the_same_with_a_worker_killed(ray, positions, tmp_path):
    kings, names, table = positions
    flips = DyingFlips(kings, names, "supply", like="opening", key="n")
    flips.marker = tmp_path / "killed"
    found = sutler.ray.count(dataset(ray, table), flips, workers=2, batch_size=250)
    assert was_killed(flips.marker)
    expected = Flips(kings, names, "supply", like="opening", key="n").count(table)
    assert found.equals(expected)
    assert expected.column("positions").to_pylist() == [ROWS] * 4
    assert min(expected.column("flipped").to_pylist()) > 0 and expected.column("errors")[0].as_py() > 0


def test_ray_answers_the_same_with_a_worker_killed(ray, positions, tmp_path, monkeypatch):
    kings, _, table = positions
    marker = tmp_path / "killed"
    monkeypatch.setattr(sutler.ray, "_Asking", DyingRay)
    marked = pa.table(table).append_column("marker", pa.array([str(marker)] * ROWS))
    answers = sutler.ray.ask_many(
        dataset(ray, marked), kings, "supply", like="opening", keep="n", workers=2, batch_size=250
    )
    rows = by_number(pa.concat_tables(answers.iter_batches(batch_format="pyarrow")))
    assert was_killed(marker)
    assert rows == of_one_process(kings, table)


def test_spark_counts_the_same_with_a_worker_killed(spark, positions, tmp_path):
    kings, names, table = positions
    flips = DyingFlips(kings, names, "supply", like="opening", key="n", each=True)
    flips.marker = tmp_path / "killed"
    found = sutler.spark.count(frame(spark, table), flips)
    assert was_killed(flips.marker)
    assert found.equals(Flips(kings, names, "supply", like="opening", key="n", each=True).count(table))


def test_spark_answers_the_same_with_a_worker_killed(spark, positions, tmp_path, monkeypatch):
    kings, _, table = positions
    marker = tmp_path / "killed"
    monkeypatch.setattr(DyingSpark, "marker", str(marker))
    monkeypatch.setattr(sutler.spark, "_Asking", DyingSpark)
    answers = sutler.spark.ask_many(frame(spark, table), kings, "supply", like="opening", keep="n")
    rows = by_number(answers.toArrow())
    assert was_killed(marker)
    assert rows == of_one_process(kings, table)


def test_spark_lengths_are_signed(spark, positions):
    kings, _, table = positions
    few = table.slice(0, 40)
    answers = sutler.spark.ask_many(frame(spark, few), kings, like="opening", lengths=True, keep=["n"])
    expected = pa.record_batch(kings.ask_many(few, like="opening", lengths=True, keep="n"))
    assert by_number(answers.toArrow()) == by_number(expected)


@pytest.mark.parametrize("on", ["ray", "spark"])
def test_workers_refuse_other_rules(on, request, positions, tmp_path):
    _, _, table = positions
    folder = tmp_path / "kings"
    shutil.copytree(ROOT / "rulesets" / "soldier_kings", folder)
    rules = sutler.open(folder)
    flips = Flips(rules, ["house"], like="opening", key="n")
    path = folder / "rules.sut"
    path.write_text(path.read_text().replace("leader is Frederick then 3", "leader is Frederick then 4"))
    cluster = request.getfixturevalue(on)
    with pytest.raises(Exception, match=f"{rules.hash} was sent"):
        if on == "ray":
            sutler.ray.count(dataset(cluster, table), flips)
        else:
            sutler.spark.count(frame(cluster, table), flips)
