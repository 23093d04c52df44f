"""The library for C, called as any host calls it: the answers of the command, and an error for whatever is no call.

SUTLER_C names the library, SUTLER the program. Needs nothing but Python."""

import ctypes
import json
import os
import pathlib
import random
import subprocess
import tempfile
import threading
import unittest

LIBRARY = ctypes.CDLL(os.environ["SUTLER_C"])
LIBRARY.sutler_open.restype = ctypes.c_uint64
LIBRARY.sutler_close.argtypes = [ctypes.c_uint64]
LIBRARY.sutler_close.restype = None
LIBRARY.sutler_call.argtypes = [ctypes.c_uint64, ctypes.c_char_p, ctypes.c_size_t]
LIBRARY.sutler_call.restype = ctypes.c_void_p
LIBRARY.sutler_explain_code.argtypes = [ctypes.c_char_p]
LIBRARY.sutler_explain_code.restype = ctypes.c_void_p
LIBRARY.sutler_free.argtypes = [ctypes.c_void_p]
LIBRARY.sutler_free.restype = None
LIBRARY.sutler_version.restype = ctypes.c_char_p

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHIPPED = ["blockade_siege", "malaya", "sgs", "soldier_kings", "twilight"]


def taken(answer):
    """The text of an answer, which goes back."""
    text = ctypes.string_at(answer).decode()
    LIBRARY.sutler_free(answer)
    return text


def raw(context, call, length=None):
    return json.loads(taken(LIBRARY.sutler_call(context, call, len(call or b"") if length is None else length)))


class Context:
    def __enter__(self):
        self.number = LIBRARY.sutler_open()
        assert self.number > 0
        return self

    def __exit__(self, *_):
        LIBRARY.sutler_close(self.number)

    def ask(self, call, **fields):
        answer = raw(self.number, json.dumps({"call": call} | fields).encode())
        assert "ok" in answer, answer
        return answer["ok"]

    def refused(self, call, length=None):
        answer = raw(self.number, call, length)
        assert list(answer) == ["faults"] and answer["faults"], answer
        return answer["faults"][0]["message"]


def texts(folder):
    """The files of a ruleset by their paths in it."""
    files = [path for path in folder.rglob("*") if path.suffix in (".sut", ".rhai")]
    return {path.relative_to(folder).as_posix(): path.read_text() for path in files}


def program(*words, cwd=ROOT):
    done = subprocess.run([os.environ["SUTLER"], *map(str, words)], cwd=cwd, capture_output=True, text=True)
    return done.stdout


def new_game():
    """The texts of a game that has begun."""
    with tempfile.TemporaryDirectory() as room:
        program("new", "winter_road", cwd=room)
        return texts(pathlib.Path(room) / "winter_road")


class Answers(unittest.TestCase):
    def test_all_shipped_rulesets_have_the_hash_and_the_answers_of_the_command(self):
        for name in SHIPPED:
            with self.subTest(name), Context() as context:
                opened = context.ask("open", texts=texts(ROOT / "rulesets" / name))
                game = context.ask("game", rules=opened["rules"], name=name)
                said = json.loads(program("check", f"rulesets/{name}", "--format", "json"))
                hashes = {entry["ruleset"]: entry["hash"] for entry in said["rulesets"]}
                self.assertEqual(game["hash"], hashes[name])
                setup = game["setups"][0]
                position = context.ask("setup", game=game["game"], name=setup)["position"]
                about = context.ask("about", game=game["game"])
                units = [trace["name"] for trace in about["traces"] if not trace["spaces"]]
                for trace in units[:2]:
                    here = context.ask("trace", position=position, trace=trace)
                    there = json.loads(program("trace", f"rulesets/{name}", "--setup", setup, "--trace", trace, "--format", "json"))
                    self.assertEqual(here["units"], there["units"])

    def test_a_code_is_explained(self):
        text = taken(LIBRARY.sutler_explain_code(b"E0201"))
        self.assertIn("E0201", text)
        for none in (b"E9999", b"", b"\xff\xfe", None):
            self.assertIsNone(LIBRARY.sutler_explain_code(none))

    def test_the_version_is_that_of_the_program(self):
        self.assertEqual(f"sutler {LIBRARY.sutler_version().decode()}\n", program("--version"))


class Hostile(unittest.TestCase):
    def test_what_is_no_call_is_refused(self):
        with Context() as context:
            self.assertEqual(context.refused(None, 0), "there is no call: it is NULL")
            self.assertEqual(context.refused(None, 10), "there is no call: it is NULL")
            self.assertEqual(context.refused(b"{}", 2**28 + 1), "the call is longer than 256 MiB")
            self.assertEqual(context.refused(b"{}", 2**64 - 1), "the call is longer than 256 MiB")
            for call in (b"", b"{", b"null", b"[]", b"\xff\xfe\x00", b'{"call":"\xff"}', b"\x00" * 9, b'{"call":"game","rules":-1}',
                         b'{"call":"game","rules":99}', b'{"call":"open"}', b'{"call":"open","texts":{},"more":1}',
                         b'{"call":"fly","position":1}', b"[" * 100_000, b'{"a":' * 100_000, b'{"call":"close","rules":1e999}'):
                context.refused(call)
            self.assertEqual(context.ask("open", texts={})["names"], [])

    def test_a_number_that_is_no_context_is_refused(self):
        context = LIBRARY.sutler_open()
        LIBRARY.sutler_close(context)
        LIBRARY.sutler_close(context)
        for number in (context, 0, 2**64 - 1):
            LIBRARY.sutler_close(number)
            self.assertEqual(raw(number, b"{}")["faults"][0]["message"], f"there is no context {number}")
        LIBRARY.sutler_free(None)

    def test_a_zero_byte_in_a_text_ends_no_answer(self):
        with Context() as context:
            opened = context.ask("open", texts={"rules.sut": 'edition 1\nruleset a "A\u0000B" prefix A\n'})
            self.assertTrue(opened["faults"])

    def test_bytes_by_chance_are_answered(self):
        chance = random.Random(7)
        sound = json.dumps({"call": "open", "texts": texts(ROOT / "rulesets/malaya")}).encode()
        with Context() as context:
            for _ in range(150):
                call = bytearray(sound)
                for _ in range(chance.randint(1, 20)):
                    call[chance.randrange(len(call))] = chance.randrange(256)
                self.assertTrue({"ok", "faults"} & set(raw(context.number, bytes(call[: chance.randint(0, 3000)]))))
            for _ in range(2_000):
                raw(context.number, chance.randbytes(chance.randint(0, 60)))

    def test_the_deepest_rules_fit_a_thread_with_a_small_stack(self):
        found = []

        def deep(count):
            define = f"edition 1\ndefine deep of army = {'(' * count}veteran{')' * count}\n"
            with Context() as context:
                found.append(context.ask("open", texts=new_game() | {"deep.sut": define})["faults"])

        before = threading.stack_size(256 * 1024)
        try:
            for count in (32, 20_000):
                thread = threading.Thread(target=deep, args=(count,))
                thread.start()
                thread.join()
        finally:
            threading.stack_size(before)
        self.assertEqual(found[0], [])
        self.assertEqual([(fault["code"], fault["severity"]) for fault in found[1]], [("E0004", "error")])


class Threads(unittest.TestCase):
    def test_many_threads_on_one_context_and_on_their_own(self):
        with Context() as shared:
            rules = shared.ask("open", texts=new_game())["rules"]
            game = shared.ask("game", rules=rules)["game"]
            wrong, answers = [], []

            def work(own):
                try:
                    with Context() as alone:
                        context, at = shared, game
                        if own:
                            context = alone
                            opened = context.ask("open", texts=new_game())["rules"]
                            at = context.ask("game", rules=opened)["game"]
                        for _ in range(20):
                            position = context.ask("setup", game=at)["position"]
                            answers.append(json.dumps(context.ask("trace", position=position)))
                            context.ask("close", position=position)
                except BaseException as error:
                    wrong.append(error)

            threads = [threading.Thread(target=work, args=(at % 2 == 1,)) for at in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(wrong, [])
            self.assertEqual(len(set(answers)), 1)
            self.assertEqual(len(answers), 160)

    def test_a_context_that_is_closed_while_it_is_asked_answers_or_refuses(self):
        for _ in range(50):
            context = LIBRARY.sutler_open()
            said = []
            asking = threading.Thread(target=lambda: said.extend(raw(context, b'{"call":"open","texts":{}}') for _ in range(50)))
            asking.start()
            LIBRARY.sutler_close(context)
            asking.join(20)
            self.assertFalse(asking.is_alive())
            self.assertEqual(len(said), 50)


class Examples(unittest.TestCase):
    """Those that SUTLER_EXAMPLES names, a command a line, say one and the same."""

    def test_examples_say_what_the_command_says(self):
        commands = [line.split() for line in os.environ.get("SUTLER_EXAMPLES", "").splitlines() if line]
        self.assertTrue(commands)
        with tempfile.TemporaryDirectory() as room:
            program("new", "winter_road", cwd=room)
            files = sorted(map(str, (pathlib.Path(room) / "winter_road").glob("*.sut")))
            trace = json.loads(program("trace", "winter_road", "--setup", "opening", "--format", "json", cwd=room))
            for command in commands:
                with self.subTest(command):
                    done = subprocess.run([*command, "First", "Dale", *files], capture_output=True, text=True)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    asked, moved, explained = (json.loads(line)["ok"] for line in done.stdout.splitlines())
                    self.assertEqual(asked["units"], trace["units"])
                    self.assertIsNone(moved)
                    self.assertTrue(explained["text"].startswith("First of Crown, in Dale: "), explained["text"])
                    missing = subprocess.run([*command, "First", "Nowhere", *files], capture_output=True, text=True)
                    self.assertEqual(missing.returncode, 1)
                    self.assertIn("Nowhere", missing.stderr)


if __name__ == "__main__":
    unittest.main()
