//! Documents as values of sqlx.
//!
//! What a value is read as is up to the type that it is read into.

use crate::stream::Piece;
use crate::Rows;
use serde::{de::DeserializeOwned, Serialize};
use serde_json::value::RawValue;
use sqlx::decode::Decode;
use sqlx::encode::{Encode, IsNull};
use sqlx::error::BoxDynError;
use sqlx::postgres::{PgArgumentBuffer, PgRow, PgTypeInfo, PgValueFormat, PgValueRef, Postgres};
use sqlx::types::{Json, Type};
use sqlx::{Row, TypeInfo, ValueRef};

impl<T> Type<Postgres> for Rows<T> {
    fn type_info() -> PgTypeInfo {
        <Json<()> as Type<Postgres>>::type_info()
    }

    fn compatible(ty: &PgTypeInfo) -> bool {
        <Json<()> as Type<Postgres>>::compatible(ty) || matches!(ty.name(), "jsonrow" | "jsonrow_json")
    }
}

impl<'r, T: DeserializeOwned> Decode<'r, Postgres> for Rows<T> {
    fn decode(value: PgValueRef<'r>) -> Result<Self, BoxDynError> {
        // Only jsonb's binary form begins with this byte.
        let binary = value.format() == PgValueFormat::Binary && value.type_info().name() != "JSON";
        let text = match value.as_bytes()? {
            [1, text @ ..] if binary => text,
            text => text,
        };
        Ok(Rows(crate::from_slice(text)?))
    }
}

impl<T: Serialize> Encode<'_, Postgres> for Rows<T> {
    fn encode_by_ref(&self, buffer: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        let doc = RawValue::from_string(crate::to_string(&self.0)?)?;
        Encode::<Postgres>::encode_by_ref(&Json(doc), buffer)
    }
}

impl Piece for PgRow {
    fn text(&self) -> Result<&[u8], Box<dyn std::error::Error + Send + Sync>> {
        Ok(self.try_get::<&str, _>(0)?.as_bytes())
    }
}
