//! Documents as values of tokio-postgres.
//!
//! What a value is read as is up to the type that it is read into. As a parameter, [`Rows`] are for `json` and
//! `jsonb`, and for the domains `jsonrow` and `jsonrow_json`, which are known by their names, in whatever schema.

use crate::stream::Piece;
use crate::Rows;
use bytes::BytesMut;
use serde::{de::DeserializeOwned, Serialize};
use std::error::Error;
use tokio_postgres::types::{to_sql_checked, FromSql, IsNull, Kind, ToSql, Type};
use tokio_postgres::Row;

/// Is it sent as jsonb is, with a byte for the version before the text?
fn is_jsonb(ty: &Type) -> bool {
    match ty.kind() {
        Kind::Domain(of) => *of == Type::JSONB,
        _ => *ty == Type::JSONB,
    }
}

fn is_json(ty: &Type) -> bool {
    let domain = matches!(ty.kind(), Kind::Domain(_)) && matches!(ty.name(), "jsonrow" | "jsonrow_json");
    domain || *ty == Type::JSON || *ty == Type::JSONB
}

impl<'a, T: DeserializeOwned> FromSql<'a> for Rows<T> {
    fn from_sql(ty: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        let text = match raw {
            [1, text @ ..] if is_jsonb(ty) => text,
            _ => raw,
        };
        Ok(Rows(crate::from_slice(text)?))
    }

    fn accepts(ty: &Type) -> bool {
        is_json(ty)
    }
}

impl<T: Serialize + std::fmt::Debug> ToSql for Rows<T> {
    fn to_sql(&self, ty: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        if is_jsonb(ty) {
            out.extend_from_slice(&[1]);
        }
        out.extend_from_slice(&crate::to_vec(&self.0)?);
        Ok(IsNull::No)
    }

    fn accepts(ty: &Type) -> bool {
        is_json(ty)
    }

    to_sql_checked!();
}

impl Piece for Row {
    fn text(&self) -> Result<&[u8], Box<dyn Error + Send + Sync>> {
        Ok(self.try_get::<_, &str>(0)?.as_bytes())
    }
}
