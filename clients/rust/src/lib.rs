//! Documents of jsonrow, an extension for PostgreSQL that sends rows as arrays, and the names of their columns once,
//! in a header: into what serde derives, and from it.
//!
//! - [`from_str`] and [`from_slice`] read a document, [`to_string`] and [`to_vec`] write one.
//! - [`Rows`] is a value of tokio-postgres and sqlx, with the features of these names.
//! - [`stream()`](fn@stream), [`from_reader`] and [`Decoder`] read a stream row by row.
//!
//! ```
//! #[derive(serde::Deserialize)]
//! struct Film {
//!     id: i32,
//!     title: Option<String>,
//!     actors: Vec<Actor>,
//! }
//!
//! #[derive(serde::Deserialize)]
//! struct Actor {
//!     name: String,
//! }
//!
//! let doc = r#"{"cols": ["id", "title", {"actors": [["name"]]}],
//!     "rows": [[1, "Alien", [["Weaver"], ["Hurt"]]], [2, null, []]]}"#;
//! for Film { id, title, actors } in jsonrow::from_str(doc)? {
//!     println!("{id} {title:?} {:?}", actors.first().map(|actor| &actor.name));
//! }
//! # Ok::<(), jsonrow::Error>(())
//! ```
//!
//! [The README](https://github.com/jsonrow/jsonrow/blob/main/clients/rust/README.md) has examples with both drivers.

#![warn(missing_docs, missing_debug_implementations)]
#![forbid(unsafe_code)]

pub mod bytea;
mod decoder;
mod document;
mod encode;
mod error;
mod header;
mod rows;
#[cfg(feature = "sqlx")]
mod sqlx;
#[cfg(feature = "stream")]
mod stream;
#[cfg(feature = "tokio-postgres")]
mod tokio_postgres;

pub use decoder::{from_reader, Decoder, Reader};
pub use document::{from_slice, from_str};
pub use encode::{to_string, to_vec};
pub use error::{Error, Place, Result};
#[cfg(feature = "stream")]
pub use stream::{stream, Piece, Streamed};

use serde::{de, Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// Rows that are a document: as a value of tokio-postgres and sqlx, and as a field of other JSON.
///
/// A value is read as a document because of this type, never because it looks like one. NULL is an `Option`.
/// As a part of other JSON, it can only be read and written by serde_json.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows<T>(pub Vec<T>);

impl<T> std::ops::Deref for Rows<T> {
    type Target = Vec<T>;

    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

impl<T> std::ops::DerefMut for Rows<T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.0
    }
}

impl<T> From<Vec<T>> for Rows<T> {
    fn from(rows: Vec<T>) -> Self {
        Rows(rows)
    }
}

impl<T> From<Rows<T>> for Vec<T> {
    fn from(rows: Rows<T>) -> Self {
        rows.0
    }
}

impl<T> FromIterator<T> for Rows<T> {
    fn from_iter<I: IntoIterator<Item = T>>(rows: I) -> Self {
        Rows(Vec::from_iter(rows))
    }
}

impl<T> IntoIterator for Rows<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a Rows<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut Rows<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter_mut()
    }
}

impl<'de, T: de::DeserializeOwned> Deserialize<'de> for Rows<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let doc = Box::<RawValue>::deserialize(deserializer)?;
        from_str(doc.get()).map(Rows).map_err(de::Error::custom)
    }
}

impl<T: Serialize> Serialize for Rows<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let doc = to_string(&self.0).and_then(RawValue::from_string).map_err(serde::ser::Error::custom)?;
        doc.serialize(serializer)
    }
}
