//! A small web server: one game, compiled once, shared by all threads.
//!
//! `cargo run --example server -- rulesets/soldier_kings 127.0.0.1:8080`, then
//! `curl -d '{"schema":1,"setup":"opening"}' http://127.0.0.1:8080/trace`. Port 0 takes a free one;
//! the address stands in the first line of the output.
//!
//! `GET /schema` gives the JSON Schema of positions, `POST /trace` the answers of a position,
//! `POST /explain/UNIT` why one of them is what it is. Faults come back as data with status 422.

use std::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use sutler::{Faults, Game, Rules};

/// A longer position is refused.
const MOST_BYTES: u64 = 1 << 20;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let ruleset = args.next().unwrap_or_else(|| "rulesets/soldier_kings".to_owned());
    let address = args.next().unwrap_or_else(|| "127.0.0.1:0".to_owned());
    let game = Rules::open(ruleset).game()?;
    let listener = TcpListener::bind(address)?;
    println!("http://{}", listener.local_addr()?);
    for stream in listener.incoming() {
        // A clone is a handle of the same game: what one thread compiled serves all.
        let (game, stream) = (game.clone(), stream?);
        thread::spawn(move || {
            if let Err(error) = serve(&game, stream) {
                eprintln!("a request was lost: {error}");
            }
        });
    }
    Ok(())
}

fn serve(game: &Game, stream: TcpStream) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let mut words = line.split_whitespace();
    let (method, path) = (words.next().unwrap_or(""), words.next().unwrap_or("").to_owned());
    let mut length = 0u64;
    loop {
        let mut header = String::new();
        if reader.read_line(&mut header)? == 0 || header.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = header.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    let mut body = String::new();
    let answer = if length > MOST_BYTES {
        ("413 Content Too Large", r#"{"message":"a position is smaller than that"}"#.to_owned())
    } else {
        reader.take(length).read_to_string(&mut body)?;
        match (method, path.strip_prefix("/explain/")) {
            ("GET", None) if path == "/schema" => ("200 OK", game.schema().to_string()),
            ("POST", None) if path == "/trace" => status(trace(game, &body)),
            ("POST", Some(unit)) => status(explain(game, &body, unit)),
            _ => ("404 Not Found", r#"{"message":"ask /schema, /trace or /explain/UNIT"}"#.into()),
        }
    };
    let (status, body) = answer;
    let mut stream = stream;
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n{body}",
        body.len()
    )
}

fn trace(game: &Game, json: &str) -> Result<serde_json::Value, Faults> {
    let position = game.position(json)?;
    Ok(serde_json::json!(position.ask_all(game.main_trace()?)?))
}

fn explain(game: &Game, json: &str, unit: &str) -> Result<serde_json::Value, Faults> {
    let (position, trace) = (game.position(json)?, game.main_trace()?);
    Ok(serde_json::json!(position.explain(trace, position.thing(trace, unit)?)?))
}

fn status(answer: Result<serde_json::Value, Faults>) -> (&'static str, String) {
    match answer {
        Ok(answer) => ("200 OK", answer.to_string()),
        Err(faults) => (
            "422 Unprocessable Content",
            serde_json::json!({ "faults": faults.to_vec() }).to_string(),
        ),
    }
}
