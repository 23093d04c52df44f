"""The examples of docs/python.md run, and print what the page shows."""

import contextlib
import io
import os
import re
import shutil

import pytest
from conftest import ROOT

PAGE = ROOT / "docs" / "python.md"


def test_the_page(tmp_path):
    pytest.importorskip("pyarrow")
    shutil.copytree(ROOT / "rulesets", tmp_path / "rulesets")
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE.read_text(), re.M | re.S)
    assert blocks
    names, printed, old = {"__name__": "page"}, None, os.getcwd()
    os.chdir(tmp_path)
    try:
        for mark, text in blocks:
            if mark == "python":
                out = io.StringIO()
                with contextlib.redirect_stdout(out):
                    exec(compile(text, "docs/python.md", "exec"), names)  # noqa: S102
                printed = out.getvalue()
            elif mark == "text":
                assert printed == text
    finally:
        os.chdir(old)
