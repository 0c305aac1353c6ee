# What the benchmarks' runners share: run_benchmark NAME [psql options] --
# [options of NAME.py]: load NAME.sql into a throw-away server, run NAME.py.
. "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib.sh"

run_benchmark() {
	local name=$1 load=()
	shift
	while [ "$1" != -- ]; do load+=("$1"); shift; done
	shift
	install_postgresql
	install_packages python3
	stage_extension
	with_server jit=off shared_buffers=1GB max_wal_size=4GB -- bash -c '
		psql -Xq -v ON_ERROR_STOP=1 '"${load[*]}"' -f bench/$0.sql
		python3 bench/$0.py "$@"' "$name" "$@"
}
