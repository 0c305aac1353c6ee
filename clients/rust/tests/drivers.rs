//! Against the server that PGHOST and so on name, in a database that has jsonrow

use futures_util::{pin_mut, StreamExt, TryStreamExt};
use jsonrow::{Error, Rows};
use serde::{Deserialize, Serialize};
use std::env;

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Film {
    id: i32,
    title: Option<String>,
    actors: Vec<Actor>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Actor {
    name: String,
}

#[derive(Debug, Deserialize)]
struct Row {
    n: usize,
    text: String,
}

/// The columns are in another order than the fields.
const NESTED: &str = "SELECT AGGREGATE(f.*) FROM (SELECT (SELECT AGGREGATE(a.*) FROM (
    SELECT name FROM actor WHERE film_id = film.id ORDER BY name) a) AS actors, title, id FROM film ORDER BY id) f";
const AGGREGATES: [&str; 4] = ["jsonrow_agg", "jsonrow_agg_json", "jsoncol_agg", "jsoncol_agg_json"];
const TABLES: &str = "
    SET client_min_messages = warning;
    CREATE TEMPORARY TABLE film (id int, title text);
    CREATE TEMPORARY TABLE actor (film_id int, name text);
    CREATE TEMPORARY TABLE report (doc jsonrow, text jsonrow_json);
    INSERT INTO film VALUES (1, 'Alien'), (2, NULL);
    INSERT INTO actor VALUES (1, 'Weaver'), (1, 'Hurt')";
const MANY: &str = "SELECT repeat('x', 50) AS text, 1 / (i - $1) AS x, i AS n FROM generate_series(1, 30000) i";

fn films() -> Vec<Film> {
    let actor = |name: &str| Actor { name: name.into() };
    vec![
        Film { id: 1, title: Some("Alien".into()), actors: vec![actor("Hurt"), actor("Weaver")] },
        Film { id: 2, title: None, actors: vec![] },
    ]
}

fn more() -> Rows<Film> {
    Rows(vec![Film { id: 3, title: None, actors: vec![Actor { name: "x".into() }] }])
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("{name} is not set"))
}

async fn tokio_client() -> tokio_postgres::Client {
    let mut config = tokio_postgres::Config::new();
    config.host(variable("PGHOST")).port(variable("PGPORT").parse().unwrap());
    config.user(variable("PGUSER")).dbname(variable("PGDATABASE"));
    let (client, connection) = config.connect(tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    client.batch_execute(TABLES).await.unwrap();
    client
}

#[tokio::test]
async fn tokio_values() {
    let client = tokio_client().await;
    for aggregate in AGGREGATES {
        let row = client.query_one(&NESTED.replace("AGGREGATE", aggregate), &[]).await.unwrap();
        assert_eq!(row.get::<_, Rows<Film>>(0).0, films(), "{aggregate}");
    }
    let row = client.query_one("SELECT NULL::jsonrow, '{\"a\": 1}'::jsonb, 'x'", &[]).await.unwrap();
    assert_eq!(row.get::<_, Option<Rows<Film>>>(0), None);
    let wrong = row.try_get::<_, Rows<Film>>(1).unwrap_err();
    let wrong = std::error::Error::source(&wrong).unwrap().downcast_ref::<Error>().unwrap().to_string();
    assert!(wrong.starts_with("not a jsonrow document: it has a member \"a\""), "{wrong}");
    assert!(row.try_get::<_, Rows<Film>>(2).is_err());
    // Parameters are of the domains, of jsonb and of json.
    for values in ["$1, $2", "$1::jsonb, $2::json"] {
        let sql = format!("INSERT INTO report VALUES ({values})");
        client.execute(&sql, &[&more(), &more()]).await.unwrap();
    }
    let insert = "INSERT INTO film SELECT * FROM jsonrow_populate_recordset(NULL::film, $1)";
    assert_eq!(client.execute(insert, &[&more()]).await.unwrap(), 1);
    for row in client.query("SELECT doc, text FROM report", &[]).await.unwrap() {
        assert_eq!((row.get::<_, Rows<Film>>(0), row.get::<_, Rows<Film>>(1)), (more(), more()));
    }
}

#[tokio::test]
async fn tokio_streams() {
    let client = tokio_client().await;
    for stream in ["jsonrow_stream", "jsonrow_stream_lines"] {
        let sql = format!("SELECT {stream}($1, $2::int)");
        let parameters: [&(dyn tokio_postgres::types::ToSql + Sync); 2] = [&MANY, &0];
        let rows = jsonrow::stream::<Row, _>(client.query_raw(&sql, parameters).await.unwrap());
        pin_mut!(rows);
        let mut count = 0;
        while let Some(row) = rows.try_next().await.unwrap() {
            count += 1;
            assert!(row.n == count && row.text.len() == 50);
        }
        assert_eq!(count, 30000);
        let parameters: [&(dyn tokio_postgres::types::ToSql + Sync); 2] = [&MANY, &20000];
        let rows = jsonrow::stream::<Row, _>(client.query_raw(&sql, parameters).await.unwrap());
        let last = rows.collect::<Vec<_>>().await.pop().unwrap().unwrap_err();
        assert!(matches!(&last, Error::Source(error) if format!("{error:?}").contains("22012")), "{last:?}");
    }
    // A task of its own, which another thread may run
    let pieces = client.query_raw("SELECT jsonrow_stream($1, 0)", [MANY]).await.unwrap();
    let task = tokio::spawn(async move {
        let mut rows = jsonrow::stream::<Row, _>(pieces);
        rows.try_next().await.unwrap().map(|row| row.n)
    });
    assert_eq!(task.await.unwrap(), Some(1));
    let cut = "SELECT E'{\"cols\":[\"n\",\"text\"]}\\n[1,\"x\"]\\n'";
    let pieces = client.query_raw(cut, Vec::<String>::new()).await.unwrap();
    let rows = jsonrow::stream::<Row, _>(pieces).collect::<Vec<_>>().await;
    assert!(matches!(&rows[..], [Ok(_), Err(Error::EndedEarly { .. })]), "{rows:?}");
}

async fn sqlx_connection() -> sqlx::PgConnection {
    use sqlx::{Connection, Executor};
    let options = sqlx::postgres::PgConnectOptions::new_without_pgpass().socket(variable("PGHOST"));
    let options = options.port(variable("PGPORT").parse().unwrap()).username(&variable("PGUSER"));
    let mut connection = sqlx::PgConnection::connect_with(&options.database(&variable("PGDATABASE"))).await.unwrap();
    connection.execute(TABLES).await.unwrap();
    connection
}

#[tokio::test]
async fn sqlx_values() {
    let mut connection = sqlx_connection().await;
    for aggregate in AGGREGATES {
        let sql = NESTED.replace("AGGREGATE", aggregate);
        let found: Rows<Film> = sqlx::query_scalar(&sql).fetch_one(&mut connection).await.unwrap();
        assert_eq!(found.0, films(), "{aggregate}");
    }
    let null: Option<Rows<Film>> =
        sqlx::query_scalar("SELECT NULL::jsonrow").fetch_one(&mut connection).await.unwrap();
    assert_eq!(null, None);
    let wrong = sqlx::query_scalar::<_, Rows<Film>>("SELECT '{\"a\": 1}'::jsonb").fetch_one(&mut connection).await;
    assert!(wrong.unwrap_err().to_string().contains("not a jsonrow document"));
    assert!(sqlx::query_scalar::<_, Rows<Film>>("SELECT 'x'").fetch_one(&mut connection).await.is_err());
    for values in ["$1, $2", "$1::jsonb, $2::json"] {
        let sql = format!("INSERT INTO report VALUES ({values})");
        sqlx::query(&sql).bind(more()).bind(more()).execute(&mut connection).await.unwrap();
    }
    let insert = "INSERT INTO film SELECT * FROM jsonrow_populate_recordset(NULL::film, $1)";
    assert_eq!(sqlx::query(insert).bind(more()).execute(&mut connection).await.unwrap().rows_affected(), 1);
    let stored: Vec<(Rows<Film>, Rows<Film>)> =
        sqlx::query_as("SELECT doc, text FROM report").fetch_all(&mut connection).await.unwrap();
    assert_eq!(stored, [(more(), more()), (more(), more())]);
}

#[tokio::test]
async fn sqlx_streams() {
    let mut connection = sqlx_connection().await;
    for stream in ["jsonrow_stream", "jsonrow_stream_lines"] {
        let sql = format!("SELECT {stream}($1, $2::int)");
        for (zero, expected) in [(0, 30000), (20000, 0)] {
            let pieces = sqlx::query(&sql).bind(MANY).bind(zero).fetch(&mut connection);
            let rows = jsonrow::stream::<Row, _>(pieces).try_collect::<Vec<_>>().await;
            match rows {
                Ok(rows) => assert_eq!(rows.len(), expected),
                Err(error) => assert!(matches!(error, Error::Source(_)) && zero > 0, "{error:?}"),
            }
        }
    }
}
