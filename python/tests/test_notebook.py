"""The notebook of docs runs from its beginning to its end; with all positions it prints what it shows.

Starts processes, so that it runs only where it is named: `SUTLER_CLUSTER=1`, as `.ci/cluster` does. With
`SUTLER_BLESS` the outputs are written into the notebook.
"""

from __future__ import annotations

import os

import pytest
from conftest import ROOT

pytest.importorskip("pyarrow")
if "SUTLER_CLUSTER" not in os.environ:
    pytest.skip("set SUTLER_CLUSTER to run it", allow_module_level=True)
nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

PAGE = ROOT / "docs" / "which_variant.ipynb"


def shown(notebook):
    """What the cells print, and whether they draw."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    texts = ["".join(o.text for o in cell.outputs if o.get("name") == "stdout") for cell in cells]
    texts = ["" if "(raylet)" in text else text for text in texts]
    pictures = [o.data["image/svg+xml"] for cell in cells for o in cell.outputs if "image/svg+xml" in o.get("data", {})]
    return texts, pictures


def test_the_notebook():
    notebook = nbformat.read(PAGE, as_version=4)
    stored, drawn = shown(notebook)
    nbclient.NotebookClient(notebook, timeout=1200, resources={"metadata": {"path": str(ROOT)}}).execute()
    texts, pictures = shown(notebook)
    if "SUTLER_BLESS" in os.environ:
        for cell in notebook.cells:
            cell.metadata = {}
            # What a cluster says of itself is another thing each time.
            if cell.cell_type == "code":
                cell.outputs = [
                    o for o in cell.outputs if o.get("name") != "stderr" and "(raylet)" not in o.get("text", "")
                ]
        notebook.metadata = {name: notebook.metadata[name] for name in ("kernelspec", "language_info")}
        notebook.metadata["language_info"] = {"name": "python"}
        PAGE.write_text(nbformat.writes(notebook, indent=1) + "\n")
    assert len(pictures) == len(drawn or pictures) == 1 and pictures[0].count("<path") > 20
    explained = next(text for text in texts if "As printed" in text)
    assert "  SK-" in explained and "HR-1a" in explained
    assert texts[-1] == "the same table, with a worker killed\n"
    counted = next(text for text in texts if text.startswith("variant"))
    assert len(counted.splitlines()) == 11
    if "SUTLER_POSITIONS" not in os.environ and "SUTLER_BLESS" not in os.environ:
        assert texts == stored
