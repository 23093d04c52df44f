//! The examples run and say what they should.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// The program of an example, which `cargo test` builds beside the tests.
fn example(name: &str) -> Command {
    let tests = std::env::current_exe().unwrap();
    let folder: PathBuf = tests.ancestors().nth(2).unwrap().join("examples");
    let program = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(program.is_file(), "`cargo test` or `cargo build --examples` builds {name} first");
    let mut command = Command::new(program);
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

/// A server that ends with the test.
struct Server(Child, String);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Server {
    fn new() -> Server {
        let mut child = example("server")
            .args(["rulesets/soldier_kings", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Server(child, line.trim().trim_start_matches("http://").to_owned())
    }

    fn ask(&self, method: &str, path: &str, body: &str) -> (u16, serde_json::Value) {
        let mut stream = TcpStream::connect(&self.1).unwrap();
        let length = body.len();
        write!(stream, "{method} {path} HTTP/1.1\r\nContent-Length: {length}\r\n\r\n{body}")
            .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split_whitespace().nth(1).unwrap().parse().unwrap();
        (status, serde_json::from_str(body).unwrap())
    }
}

#[test]
fn a_server_answers_its_threads_from_one_game() {
    let server = Server::new();
    let position = r#"{"schema":1,"setup":"opening"}"#;
    let (status, first) = server.ask("POST", "/trace", position);
    assert_eq!((status, &first["units"][0]["state"]), (200, &"supplied".into()));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(server.ask("POST", "/trace", position).1, first));
        }
    });
    let (status, explained) = server.ask("POST", "/explain/F3", position);
    assert_eq!((status, &explained["stop"]), (200, &"Mecklenburg".into()));
    assert_eq!(server.ask("GET", "/schema", "").0, 200);
    assert_eq!(server.ask("GET", "/nothing", "").0, 404);
    let (status, refused) = server.ask("POST", "/trace", r#"{"schema":1}"#);
    assert_eq!(status, 422);
    assert!(refused["faults"][0]["code"].as_str().unwrap().starts_with('E'), "{refused}");
}

#[test]
fn a_game_loop_says_who_turned() {
    let out = example("game_loop").args(["rulesets/soldier_kings", "30"]).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let text = String::from_utf8(out.stdout).unwrap();
    assert_eq!(text.lines().filter(|l| !l.starts_with(' ')).count(), 30);
    assert!(text.contains(" is out_of_supply now") || text.contains(" is supplied now"), "{text}");
}
