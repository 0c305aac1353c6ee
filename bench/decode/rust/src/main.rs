//! decode HOW SHAPE FILE TIMES [CHECK]: values made of the JSON text in FILE, so many times; prints the milliseconds of CPU
//! that each took on average. CHECK is a file of the objects that must come out.

use serde::{de::DeserializeOwned, Deserialize};
use serde_json::{Map, Value};
use std::error::Error;

#[derive(Debug, Deserialize, PartialEq)]
#[serde(rename_all = "camelCase")]
struct Flat {
    user: String,
    session_id: i32,
    command: String,
    statement: String,
    transaction_id: i32,
    time: i32,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Film {
    film_id: i32,
    title: String,
    year: i32,
    rating: f64,
    actors: Vec<Actor>,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Actor {
    first_name: String,
    last_name: String,
    awards: Vec<Award>,
}

#[derive(Debug, Deserialize, PartialEq)]
struct Award {
    year: i32,
    prize: String,
}

type Made<T> = Result<Vec<T>, Box<dyn Error>>;

fn objects<T: DeserializeOwned>(text: &[u8]) -> Made<T> {
    Ok(serde_json::from_slice(text)?)
}

fn document<T: DeserializeOwned>(text: &[u8]) -> Made<T> {
    Ok(jsonrow::from_slice(text)?)
}

fn run<T: DeserializeOwned + PartialEq>(how: &str, arguments: &[String]) -> Result<(), Box<dyn Error>> {
    let make = if how.starts_with("client") { document::<T> } else { objects::<T> };
    let text = std::fs::read(&arguments[0])?;
    if let Some(check) = arguments.get(2) {
        assert!(make(&text)? == objects::<T>(&std::fs::read(check)?)?, "{how}: these are not the objects");
    }
    let times: u32 = arguments[1].parse()?;
    for _ in 0..3 {
        make(&text)?;
    }
    let began = cpu();
    for _ in 0..times {
        make(&text)?;
    }
    println!("{}", (cpu() - began) * 1e3 / f64::from(times));
    Ok(())
}

/// Seconds that this process has taken
fn cpu() -> f64 {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: getrusage fills what it is given.
    let usage = unsafe {
        libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr());
        usage.assume_init()
    };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let (how, shape, rest) = (&arguments[1], &arguments[2], &arguments[3..]);
    match (how.contains("structs"), shape.as_str()) {
        (true, "flat") => run::<Flat>(how, rest),
        (true, _) => run::<Film>(how, rest),
        (false, _) => run::<Map<String, Value>>(how, rest),
    }
}
