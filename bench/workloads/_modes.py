"""The same statements with settings off and on, whose answers are compared first."""
from measure import backend_cpu

BEFORE = "SELECT jsonrow_is_valid(jsonb '{}') \\g /dev/null\nSET max_parallel_workers_per_gather = 0; SET client_min_messages = warning;\n"
LEAST = 60      # milliseconds in a turn


def contest(queries, modes, answer, rounds, before=BEFORE, least=LEAST):
    """{name: {mode: ms}}, by {mode: settings}; answer(sql, settings) is what must be the same in all modes"""
    for name, sql in queries.items():
        first, *others = (answer(sql, settings) for settings in modes.values())
        if any(other != first for other in others):
            raise AssertionError(f'the answer to {name} is another one')
    times = backend_cpu({(name, mode): (settings, sql) for name, sql in queries.items() for mode, settings in modes.items()}, rounds, before, least)
    return {name: {mode: times[name, mode] for mode in modes} for name in queries}
