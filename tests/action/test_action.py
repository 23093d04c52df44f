"""The steps of action.yml, run as a build server runs them, on a repository in which a change flips an answer; and the
hooks of pre-commit on the same. SUTLER names the program."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ["SUTLER"]).resolve()
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}


def run(*words, cwd, **more):
    return subprocess.run(list(map(str, words)), cwd=cwd, capture_output=True, text=True, **more)


def git(folder, *words):
    done = run("git", "-c", "user.name=A", "-c", "user.email=a@example.org", *words, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path):
    """A game and a variant of it, committed."""
    folder = tmp_path / "repository"
    folder.mkdir()
    assert run(PROGRAM, "new", "winter_road", cwd=folder).returncode == 0
    (folder / "winter_road/long.sut").write_text(
        'edition 1\nruleset long_road "The Long Road" prefix LR extends winter_road\n'
        "override row led of reach was 3 now 4\n"
    )
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "The game")
    return folder


def change(folder, old, new, file="winter_road/rules.sut"):
    path = folder / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    git(folder, "commit", "--quiet", "--all", "--message", "A change")


class Server:
    """What a build server gives to a step: values of its expressions, files for outputs, and a stub of `gh`."""

    def __init__(self, folder, room, comments=()):
        self.folder, self.room = folder, room
        (room / "bin").mkdir(parents=True)
        (room / "comments").write_text("".join(f"{at}\n" for at in comments))
        stub = room / "bin/gh"
        # The list of comments, or the call and its body written down.
        stub.write_text(
            '#!/usr/bin/env bash\ncase "$*" in\n'
            f'*--jq*) cat "{room}/comments" ;;\n'
            f'*) printf "%s\\n" "$*" > "{room}/called"; for word in "$@"; do case "$word" in body=@*) '
            f'cp "${{word#body=@}}" "{room}/body" ;; esac; done ;;\nesac\n'
        )
        stub.chmod(0o755)
        self.values = {
            "inputs.program": str(PROGRAM),
            "inputs.rulesets": ".",
            "inputs.deny": "",
            "inputs.token": "token",
            "github.action_path": str(ROOT),
            "github.event.pull_request.base.sha": git(folder, "rev-parse", "main"),
            "github.event.pull_request.number": "7",
        }

    def value(self, text):
        return re.sub(r"\$\{\{ *(.*?) *\}\}", lambda found: self.values[found[1]], str(text))

    def step(self, name):
        step = STEPS[name]
        assert "${{" not in step["run"], "values come in by the environment, so that nobody writes a command into a branch's name"
        output, summary = self.room / "output", self.room / "summary"
        output.write_text("")
        given = {name: self.value(text) for name, text in step.get("env", {}).items()}
        server = {
            "PATH": f"{self.room}/bin:{os.environ['PATH']}",
            "HOME": str(self.room),
            "RUNNER_TEMP": str(self.room),
            "GITHUB_OUTPUT": str(output),
            "GITHUB_STEP_SUMMARY": str(summary),
            "GITHUB_REPOSITORY": "somebody/game",
            "CI": "true",
        }
        script = self.room / "step.sh"
        script.write_text(step["run"])
        # As the server calls `shell: bash`.
        done = run("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", script, cwd=self.folder, env=server | given)
        for line in output.read_text().splitlines():
            key, _, value = line.partition("=")
            self.values[f"steps.{step['id']}.outputs.{key}"] = value
        return done

    def through(self):
        """All steps that run a command, and the last of them."""
        for name in ("Install", "Check", "Compare", "Comment"):
            done = self.step(name)
            assert done.returncode == 0, f"{name}: {done.stdout}{done.stderr}"
            if name == "Check":
                self.annotations = done.stdout
        return self.step("Fail where something was found").returncode

    @property
    def body(self):
        return (self.room / "body").read_text()

    @property
    def called(self):
        return (self.room / "called").read_text()


def test_a_change_that_flips_an_answer_is_told_of_in_a_comment(repository, tmp_path):
    git(repository, "switch", "--quiet", "--create", "change")
    change(repository, "  otherwise 2\n", "  otherwise 1\n")
    server = Server(repository, tmp_path / "server")
    assert server.through() == 1, "two cases fail"
    assert "::error file=winter_road/suite.sut,line=6" in server.annotations
    assert "--method POST repos/somebody/game/issues/7/comments" in server.called
    said = server.body
    assert said.startswith("<!-- sutler -->\n### Sutler\n")
    head = "<details><summary><code>winter_road/rules.sut</code>: setup opening: 2 of 4 answers are others; cases: 2 of 6 come out otherwise</summary>"
    assert head in said
    assert "\n      First  trace supply  supplied -> cut_off  2 to depot [WR-4a] -> within at    by otherwise of reach\n" in said
    assert "<code>winter_road/long.sut</code>: setup opening: 2 of 4 answers are others</summary>" in said
    assert str(tmp_path) not in said
    assert (tmp_path / "server/summary").read_text() == said
    assert git(repository, "worktree", "list").count("\n") == 0, "the folder of before is gone"


def test_a_second_run_changes_the_comment_of_the_first(repository, tmp_path):
    git(repository, "switch", "--quiet", "--create", "change")
    change(repository, "# after each change.", "# after each.")
    server = Server(repository, tmp_path / "server", comments=[41, 42])
    assert server.through() == 0
    assert "--method PATCH repos/somebody/game/issues/comments/41" in server.called
    assert "No answer of any setup or case is another." in server.body


def test_findings_are_a_file_for_code_scanning(repository, tmp_path):
    git(repository, "switch", "--quiet", "--create", "change")
    change(repository, "expect First is supplied", "expect Frist is supplied", "winter_road/suite.sut")
    server = Server(repository, tmp_path / "server")
    assert server.through() == 1
    results = json.loads(pathlib.Path(server.values["steps.check.outputs.findings"]).read_text())["runs"][0]["results"]
    place = results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert (results[0]["level"], place) == ("error", "winter_road/suite.sut")
    assert "findings</summary>" in server.body
    assert "Frist" in server.body


def test_what_is_new_and_what_no_case_reaches(repository, tmp_path):
    git(repository, "switch", "--quiet", "--create", "change")
    assert run(PROGRAM, "new", "other", cwd=repository).returncode == 0
    (repository / "other/suite.sut").unlink()
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "--message", "Another game")
    server = Server(repository, tmp_path / "server")
    assert server.through() == 0
    assert "- `other/rules.sut` is new\n\n" in server.body
    assert "<summary>What no case reaches</summary>" in server.body
    assert "    other/rules.sut:46:8: define depot: no case comes to define depot\n" in server.body
    assert "winter_road/rules.sut:" not in server.body, "all of it is reached"


def test_nothing_that_a_file_says_leaves_its_block(repository, tmp_path):
    git(repository, "switch", "--quiet", "--create", "change")
    change(repository, "override row led", "</details> <b>@everybody</b>\n\n```\noverride row led", "winter_road/long.sut")
    server = Server(repository, tmp_path / "server")
    assert server.through() == 1
    for line in server.body.splitlines():
        assert "<b>" not in line or line.startswith("    "), line


def test_deny_fails_on_warnings(repository, tmp_path):
    git(repository, "switch", "--quiet", "--create", "change")
    change(repository, "  otherwise 2\n", "  row never when strength at least 1 and strength at most 0 then 1\n  otherwise 2\n")
    server = Server(repository, tmp_path / "server")
    server.step("Install")
    plain = server.step("Check"), server.values["steps.check.outputs.failed"]
    server.values["inputs.deny"] = "warnings"
    strict = server.step("Check"), server.values["steps.check.outputs.failed"]
    assert "::warning file=winter_road/rules.sut" in plain[0].stdout
    assert (plain[1], strict[1]) == ("0", "1")


@pytest.fixture
def hooked(repository):
    """The same repository with the hooks of this one, which run the program that is there."""
    hooks = [hook | {"language": "system", "entry": hook["entry"].replace("sutler", str(PROGRAM), 1)}
             for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())]
    config = {"repos": [{"repo": "local", "hooks": hooks}]}
    (repository / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config, sort_keys=False))
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "--message", "Hooks")
    return repository


def hook(folder, name):
    environment = os.environ | {"PRE_COMMIT_HOME": str(folder.parent / "hooks")}
    return run(sys.executable, "-m", "pre_commit", "run", name, cwd=folder, env=environment)


def test_hooks_pass_what_is_sound_and_stop_what_is_not(hooked):
    rules = hooked / "winter_road/rules.sut"
    sound = rules.read_text()
    rules.write_text(sound.replace("  otherwise 2\n", "  otherwise   2\n"))
    git(hooked, "add", ".")
    laid = hook(hooked, "sutler-fmt")
    assert laid.returncode == 1 and "files were modified by this hook" in laid.stdout, laid.stdout
    assert rules.read_text() == sound
    git(hooked, "add", ".")
    rules.write_text(sound + "\n# More.\n")
    git(hooked, "add", ".")
    for name in ("sutler-fmt", "sutler-check", "sutler-test"):
        done = hook(hooked, name)
        assert done.returncode == 0 and "Passed" in done.stdout, done.stdout + done.stderr

    # A parent changes, and a variant says what it was: found though no file of the variant has changed.
    rules.write_text(sound.replace("leader is not none then 3", "leader is not none then 5"))
    git(hooked, "add", ".")
    found = hook(hooked, "sutler-check")
    assert found.returncode == 1 and "E0603" in found.stdout, found.stdout
    rules.write_text(sound.replace("  otherwise 2\n", "  otherwise 1\n"))
    git(hooked, "add", ".")
    assert hook(hooked, "sutler-check").returncode == 0
    failed = hook(hooked, "sutler-test")
    assert failed.returncode == 1 and "2 failed" in failed.stdout, failed.stdout


def test_hooks_are_those_that_pre_commit_reads():
    manifest = ROOT / ".pre-commit-hooks.yaml"
    done = run(sys.executable, "-m", "pre_commit", "validate-manifest", manifest, cwd=ROOT)
    assert done.returncode == 0, done.stdout


def test_action_is_of_the_published_schema():
    check = shutil.which("check-jsonschema", path=f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}")
    done = run(check, "--builtin-schema", "vendor.github-actions", ROOT / "action.yml", cwd=ROOT)
    assert done.returncode == 0, done.stdout
