"""The rows of "Efficient JSON Data formats for Node.js", and what makes documents of them."""
from measure import psql

NAMES = ['user', 'sessionId', 'command', 'statement', 'transactionId', 'time']
COLUMNS = ', '.join(f'"{name}"' for name in NAMES)
HEADER = "'{" + ','.join(NAMES) + "}'"
PAIRS = ', '.join(f"'{name}', \"{name}\"" for name in NAMES)

JSONROW = {name: f'{name}({HEADER}, {COLUMNS})' for name in ('jsonrow_agg_json', 'jsonrow_agg', 'jsoncol_agg_json', 'jsoncol_agg')}
ARRAYS = f'json_agg(json_build_array({COLUMNS}))'
OBJECTS = f'json_agg(json_build_object({PAIRS}))'
JSONB_ARRAYS = f'jsonb_agg(jsonb_build_array({COLUMNS}))'


def prepare(table, rows):
    psql(f"""DROP TABLE IF EXISTS {table}; CREATE TABLE {table} AS
        SELECT 'test'::text AS "user", 1 AS "sessionId", 'SELECT'::text AS command, 'SELECT * from mydata'::text AS statement,
               i AS "transactionId", i % 1000 AS time FROM generate_series(1, {rows}) i""")
    psql(f'VACUUM ANALYZE {table}')
