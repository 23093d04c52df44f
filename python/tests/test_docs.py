"""The examples of the pages run, and print what the pages show; those of clusters only where `SUTLER_CLUSTER` names them."""

import contextlib
import io
import os
import re
import shutil

import pytest
from conftest import ROOT


@pytest.mark.parametrize("page", ["python", "cluster"])
def test_the_page(page, tmp_path):
    pytest.importorskip("pyarrow")
    cluster = "SUTLER_CLUSTER" in os.environ
    shutil.copytree(ROOT / "rulesets", tmp_path / "rulesets")
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", (ROOT / "docs" / f"{page}.md").read_text(), re.M | re.S)
    assert len(blocks) > 4
    names, printed, old = {"__name__": "page"}, None, os.getcwd()
    os.chdir(tmp_path)
    try:
        for mark, text in blocks:
            if mark == "python" and not cluster and re.search(r"^import (ray|sutler\.spark)$", text, re.M):
                printed = None
            elif mark == "python":
                out = io.StringIO()
                with contextlib.redirect_stdout(out):
                    exec(compile(text, f"docs/{page}.md", "exec"), names)  # noqa: S102
                printed = out.getvalue()
            elif mark == "text" and printed is not None:
                assert printed == text
    finally:
        os.chdir(old)
