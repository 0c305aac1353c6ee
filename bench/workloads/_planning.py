"""How long the planner takes, by what EXPLAIN tells."""
from measure import literal, progress, psql
from measured import Measured

# What EXPLAIN tells of planning, in whole microseconds
PLANNING = """CREATE FUNCTION pg_temp.planning(query text, times int) RETURNS SETOF float8 LANGUAGE plpgsql AS $$
DECLARE
    plan json;
BEGIN
    FOR i IN 1 .. times LOOP
        EXECUTE 'EXPLAIN (SUMMARY, FORMAT JSON) ' || query INTO plan;
        RETURN NEXT (plan -> 0 ->> 'Planning Time')::float8 * 1000;
    END LOOP;
END $$;"""


# The clock ticks too coarsely for a median; the slowest quarter was disturbed.
AVERAGE = """SELECT avg(us) FROM (SELECT us, percent_rank() OVER (ORDER BY us) AS rank FROM pg_temp.planning(QUERY, 200) us) s WHERE rank < 0.75;"""


def planning(queries, modes, rounds, before):
    """{name: {mode: microseconds}}, in turns, in one session"""
    calls = [(name, mode, f"{modes[mode]} {AVERAGE.replace('QUERY', literal(sql))}")
             for name, sql in queries.items() for mode in modes]
    taken = [float(us) for us in psql(before + PLANNING + '\n' + '\n'.join(sql for _, _, sql in calls) * (rounds + 1)).splitlines()]
    progress()
    result = {}
    for i, (name, mode, _) in enumerate(calls):
        result.setdefault(name, {})[mode] = Measured(taken[len(calls) + i::len(calls)])
    return result
