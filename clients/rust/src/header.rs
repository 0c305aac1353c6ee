//! The header of a document.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

/// One entry of a header.
pub(crate) struct Column<'de> {
    pub name: Cow<'de, str>,
    pub kind: Kind<'de>,
}

pub(crate) enum Kind<'de> {
    Plain,
    /// A composite: a cell is a row.
    Row(Header<'de>),
    /// A nested document: a cell is an array of rows.
    Rows(Header<'de>),
}

/// A header, at any depth
pub(crate) struct Header<'de> {
    pub cols: Vec<Column<'de>>,
    /// The fields that this was last compared with, and whether these are its columns in their order
    same: Cell<Option<(&'static [&'static str], bool)>>,
}

impl<'de> Header<'de> {
    fn new(cols: Vec<Column<'de>>) -> Self {
        Header { cols, same: Cell::new(None) }
    }

    /// Are the columns just these fields of a struct, in their order?  Compared once per document.
    #[inline]
    pub fn is(&self, fields: &'static [&'static str]) -> bool {
        match self.same.get() {
            Some((known, same)) if std::ptr::eq(known, fields) => same,
            _ => {
                let same = self.cols.iter().map(|column| &*column.name).eq(fields.iter().copied());
                self.same.set(Some((fields, same)));
                same
            }
        }
    }

    /// The same, of which nothing is borrowed
    pub fn into_owned(self) -> Header<'static> {
        let owned = |column: Column| {
            let kind = match column.kind {
                Kind::Plain => Kind::Plain,
                Kind::Row(header) => Kind::Row(header.into_owned()),
                Kind::Rows(header) => Kind::Rows(header.into_owned()),
            };
            Column { name: Cow::Owned(column.name.into_owned()), kind }
        };
        Header::new(self.cols.into_iter().map(owned).collect())
    }
}

/// A string, borrowed if it has no escapes
pub(crate) struct Name<'de>(pub Cow<'de, str>);

impl<'de> Deserialize<'de> for Name<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NameVisitor;

        impl<'de> Visitor<'de> for NameVisitor {
            type Value = Name<'de>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E: Error>(self, name: &'de str) -> Result<Name<'de>, E> {
                Ok(Name(Cow::Borrowed(name)))
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<Name<'de>, E> {
                Ok(Name(Cow::Owned(name.to_owned())))
            }
        }

        deserializer.deserialize_str(NameVisitor)
    }
}

/// What is in a header: the name of a plain column, that of a nested one with its list, or a list
enum Entry<'de> {
    Name(Cow<'de, str>),
    Nested(Cow<'de, str>, Vec<Entry<'de>>),
    List(Vec<Entry<'de>>),
}

impl<'de> Deserialize<'de> for Entry<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct EntryVisitor;

        impl<'de> Visitor<'de> for EntryVisitor {
            type Value = Entry<'de>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a column's name")
            }

            fn visit_borrowed_str<E: Error>(self, name: &'de str) -> Result<Entry<'de>, E> {
                Ok(Entry::Name(Cow::Borrowed(name)))
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<Entry<'de>, E> {
                Ok(Entry::Name(Cow::Owned(name.to_owned())))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Entry<'de>, A::Error> {
                let mut list = Vec::new();
                while let Some(entry) = seq.next_element()? {
                    list.push(entry);
                }
                Ok(Entry::List(list))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entry<'de>, A::Error> {
                match map.next_entry::<Name, Vec<Entry>>()? {
                    Some((Name(name), list)) => Ok(Entry::Nested(name, list)),
                    None => Err(A::Error::custom("a nested column without a name")),
                }
            }
        }

        deserializer.deserialize_any(EntryVisitor)
    }
}

/// A list of entries as a header, or none if it is not one
fn header(list: Vec<Entry>) -> Option<Header> {
    list.into_iter().map(column).collect::<Option<_>>().map(Header::new)
}

fn column(entry: Entry) -> Option<Column> {
    match entry {
        Entry::Name(name) => Some(Column { name, kind: Kind::Plain }),
        Entry::Nested(name, mut list) => {
            let kind = match list.pop() {
                Some(Entry::List(names)) if list.is_empty() => Kind::Rows(header(names)?),
                last => {
                    list.extend(last);
                    Kind::Row(header(list)?)
                }
            };
            Some(Column { name, kind })
        }
        Entry::List(_) => None,
    }
}

impl<'de> Deserialize<'de> for Header<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let list = Vec::deserialize(deserializer)?;
        header(list).ok_or_else(|| D::Error::custom("a list in a header where a name must be"))
    }
}
