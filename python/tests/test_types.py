"""The types that the package ships are those of the module that is compiled."""

import ast
from pathlib import Path

import sutler


def test_stubs_name_what_there_is():
    folder = Path(sutler.__file__).parent
    assert (folder / "py.typed").exists()
    tree = ast.parse((folder / "_sutler.pyi").read_text())
    stubs = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and hasattr(sutler, node.name):
            stubs[node.name] = {n.name for n in node.body if isinstance(n, ast.FunctionDef)}
        elif isinstance(node, ast.FunctionDef):
            assert callable(getattr(sutler, node.name))
    compiled = [sutler.Rules, sutler.Position, sutler.Many]
    compiled += [sutler.ArrowBatch, sutler.ArrowStream, sutler.ArrowSchema]
    assert set(stubs) == {owner.__name__ for owner in compiled}
    for owner in compiled:
        public = {name for name in vars(owner) if not name.startswith("_")}
        listed = {name for name in stubs[owner.__name__] if not name.startswith("_")}
        assert public == listed, owner.__name__
