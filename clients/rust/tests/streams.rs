//! Streams from text

use jsonrow::{from_reader, Decoder, Error};
use serde::Deserialize;
use std::io::{self, Read};

#[derive(Clone, Debug, Deserialize, PartialEq)]
struct Film {
    id: i32,
    actors: Vec<Actor>,
}

#[derive(Clone, Debug, Deserialize, PartialEq)]
struct Actor {
    name: String,
}

const LINES: &str = r#"{"cols":["id",{"actors":[["name"]]}],"types":["int4",{"actors":["text"]}]}
[1,[["é"]]]
[2,[]]
{"rows":2}
"#;
const PIECES: &str =
    r#"{"cols":["id",{"actors":[["name"]]}],"types":["int4",{"actors":["text"]}],"rows":[[1,[["é"]]],[2,[]]]}"#;

/// A byte at a time
struct Slow<'a>(&'a [u8]);

impl Read for Slow<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.read(&mut into[..1])
    }
}

fn all<R: Read>(reader: R) -> (Vec<Film>, Option<Error>) {
    let (mut rows, mut failed) = (Vec::new(), None);
    for row in from_reader(reader) {
        match row {
            Ok(row) => rows.push(row),
            Err(error) => failed = Some(error),
        }
    }
    (rows, failed)
}

/// Tasks of multithreaded runtimes may hold them.
#[test]
fn send() {
    fn is_send<T: Send>() {}
    fn is_send_and_sync<T: Send + Sync>() {}
    is_send::<Decoder<Film>>();
    is_send::<jsonrow::Reader<&[u8], Film>>();
    is_send_and_sync::<jsonrow::Rows<Film>>();
    is_send_and_sync::<Error>();
}

#[test]
fn debug() {
    let mut rows = from_reader::<_, Film>(LINES.as_bytes());
    rows.next();
    let decoder = format!("Decoder {{ rows: 1, offset: {}, .. }}", LINES.find("\n[2").unwrap());
    assert_eq!(format!("{rows:?}"), format!("Reader {{ decoder: {decoder}, done: false, .. }}"));
}

#[test]
fn forms() {
    let expected = [Film { id: 1, actors: vec![Actor { name: "é".into() }] }, Film { id: 2, actors: vec![] }];
    let late = r#"{"cols":["id",{"actors":[["name"]]}],"rows":[[1,[["é"]]],[2,[]]],"types":[{"a":1}]} "#;
    for stream in [LINES, PIECES, late, &LINES.replace(":2", ": 2 ")] {
        for (rows, failed) in [all(stream.as_bytes()), all(Slow(stream.as_bytes()))] {
            assert!(rows == expected && failed.is_none(), "{stream}: {rows:?} {failed:?}");
        }
        for end in 0..stream.trim_end().len() {
            let (rows, failed) = all(&stream.as_bytes()[..end]);
            match failed {
                Some(Error::EndedEarly { place, .. }) => {
                    assert_eq!(place.offset, end);
                    assert!(rows.is_empty() || place.row == Some(rows.len()));
                }
                other => panic!("{end} of {stream}: {other:?}"),
            }
        }
    }
}

#[test]
fn errors() {
    let mut wrong = Vec::new();
    for (stream, message) in [
        (LINES.replace(":2", ":3"), "the document ended early: 2 of 3 rows, row 2 at byte 106"),
        (LINES.replace(":2", ":1"), "the document ended early: 2 of 1 rows, row 2 at byte 106"),
        (format!("{LINES}x"), "not a jsonrow document: something follows the end at byte 106"),
        (LINES.replace("[2,", "["), "invalid type: sequence, expected i32, row 1, column id at byte 89"),
        (
            "{\"cols\":[\"id\"]}\n[1,2]\n".into(),
            "not a jsonrow document: a row has more cells than there are columns, 1, row 0 at byte 21",
        ),
        (
            "{\"cols\":[\"id\"]}\n{\"count\":1}".into(),
            "not a jsonrow document: neither a row nor the number of rows at byte 25",
        ),
        (r#"{"rows":[]}"#.into(), r#"not a jsonrow document: "rows" cannot be streamed before the rows at byte 8"#),
        (
            r#"{"cols":["id"],"vals":[]}"#.into(),
            r#"not a jsonrow document: "vals" cannot be streamed before the rows at byte 22"#,
        ),
        (r#"{"types":[]}"#.into(), "not a jsonrow document: there is no header at byte 12"),
        (
            r#"{"cols":[],"rows":[],"rows":[]}"#.into(),
            r#"not a jsonrow document: it has a member "rows" after the rows at byte 28"#,
        ),
    ] {
        let (_, failed) = all(stream.as_bytes());
        let found = failed.map_or("none".into(), |error| error.to_string());
        if found != message {
            wrong.push(format!("{stream}: {found}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let broken = LINES.as_bytes()[..50].chain(Broken);
    match all(broken) {
        (rows, Some(Error::Source(error))) => assert!(rows.is_empty() && error.to_string() == "broken"),
        other => panic!("{other:?}"),
    }
}

struct Broken;

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("broken"))
    }
}

/// Rows that are longer than a piece, and many
#[test]
fn long() {
    #[derive(Deserialize)]
    struct Row {
        id: usize,
        text: String,
    }
    let size = |i: usize| i * i % 1000 * if i % 100 == 99 { 300 } else { 1 };
    let rows: Vec<_> = (0..1000).map(|i| format!("[{i},\"{}\"]", "x".repeat(size(i)))).collect();
    let stream = format!(r#"{{"cols":["id","text"],"rows":[{}]}}"#, rows.join(","));
    let mut decoder = Decoder::<Row>::new();
    let mut count = 0;
    let mut read = |decoder: &mut Decoder<Row>| {
        while let Some(Row { id, text }) = decoder.next().unwrap() {
            assert!(id == count && text.len() == size(id));
            count += 1;
        }
        count
    };
    for piece in stream.as_bytes().chunks(5000) {
        decoder.feed(piece);
        read(&mut decoder);
    }
    decoder.end();
    assert_eq!(read(&mut decoder), 1000);
}
