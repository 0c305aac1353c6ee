//! `bytea` as bytes: `#[serde(with = "jsonrow::bytea")]`.
//!
//! In JSON, PostgreSQL's `bytea` is text: `\x` and two hexadecimal digits for each byte. This is for fields of type
//! `Vec<u8>` and `Option<Vec<u8>>`.
//!
//! ```
//! #[derive(serde::Deserialize, serde::Serialize)]
//! struct File {
//!     #[serde(with = "jsonrow::bytea")]
//!     data: Vec<u8>,
//!     #[serde(with = "jsonrow::bytea")]
//!     hash: Option<Vec<u8>>,
//! }
//!
//! let doc = r#"{"cols":["data","hash"],"rows":[["\\x00ff",null]]}"#;
//! let files: Vec<File> = jsonrow::from_str(doc)?;
//! assert_eq!((&files[0].data[..], &files[0].hash), (&[0, 255][..], &None));
//! assert_eq!(jsonrow::to_string(&files)?, doc);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use sealed::Bytes;
use serde::de::{Deserialize, Deserializer, Error, Unexpected};
use serde::Serializer;

mod sealed {
    /// `Vec<u8>`, or an `Option` of it
    pub trait Bytes: Sized {
        fn new(bytes: Option<Vec<u8>>) -> Option<Self>;
        fn get(&self) -> Option<&[u8]>;
    }

    impl Bytes for Vec<u8> {
        fn new(bytes: Option<Vec<u8>>) -> Option<Self> {
            bytes
        }

        fn get(&self) -> Option<&[u8]> {
            Some(self)
        }
    }

    impl Bytes for Option<Vec<u8>> {
        fn new(bytes: Option<Vec<u8>>) -> Option<Self> {
            Some(bytes)
        }

        fn get(&self) -> Option<&[u8]> {
            self.as_deref()
        }
    }
}

/// Reads the hexadecimal form of `bytea`.
pub fn deserialize<'de, D: Deserializer<'de>, B: Bytes>(deserializer: D) -> Result<B, D::Error> {
    const EXPECTED: &str = "\\x and hexadecimal digits";
    let bytes = match Option::<String>::deserialize(deserializer)? {
        Some(text) => match decode(&text) {
            None => return Err(D::Error::invalid_value(Unexpected::Str(&text), &EXPECTED)),
            bytes => bytes,
        },
        None => None,
    };
    B::new(bytes).ok_or_else(|| D::Error::invalid_type(Unexpected::Other("null"), &EXPECTED))
}

fn decode(text: &str) -> Option<Vec<u8>> {
    let byte = |digits: &[u8]| match *digits {
        [high, low] => Some(digit(high)? * 16 + digit(low)?),
        _ => None,
    };
    text.strip_prefix("\\x")?.as_bytes().chunks(2).map(byte).collect()
}

fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}

/// Writes the hexadecimal form of `bytea`.
pub fn serialize<S: Serializer, B: Bytes>(bytes: &B, serializer: S) -> Result<S::Ok, S::Error> {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let Some(bytes) = bytes.get() else { return serializer.serialize_none() };
    let mut text = String::with_capacity(2 + 2 * bytes.len());
    text.push_str("\\x");
    for byte in bytes {
        text.push(char::from(DIGITS[usize::from(byte >> 4)]));
        text.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    serializer.serialize_str(&text)
}
