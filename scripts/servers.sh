# What the checks share that start servers of their own, as test/checks/replication;
# sourced by them.  They are stopped and removed on exit.
#
#	. "$top/scripts/servers.sh"
#	make_cluster primary wal_level=logical	# in $dir/primary, on a Unix socket
#	start_cluster primary
#	on primary app -c 'SELECT 1'	# psql, in the database app
#	check 'what is so' COMMAND...	# see tap.sh
#	finish_servers
#
# The server is the one whose programs are first in PATH, as scripts/test puts it
# there: a copy in which the extension is installed.  As root, an unprivileged user
# runs it.
. "$top/scripts/lib.sh"
. "$top/scripts/tap.sh"

unset PGHOST PGHOSTADDR PGSERVICE PGOPTIONS PGDATA PGDATABASE
export PGPORT=5432 PGCONNECT_TIMEOUT=60
PGUSER=$(server_user)
export PGUSER
PG_CONFIG=${PG_CONFIG:-pg_config}
bin=$(dirname "$(command -v postgres || echo "$("$PG_CONFIG" --bindir)/postgres")")
dir=$(realpath "$(mktemp -d "${TMPDIR:-/tmp}/jsonrow-servers.XXXXXX")")
chmod 755 "$dir"
declare -A programs	# of each cluster, where they are not those in $bin

remove_clusters() {
	local data
	for data in "$dir"/*/data; do
		[ ! -e "$data/postmaster.pid" ] || as_server "$bin/pg_ctl" -s -D "$data" -m immediate stop || true
	done
	rm -rf "$dir"
}
trap remove_clusters EXIT

skip_all() {
	echo "1..0 # SKIP $*"
	exit
}

[ -e "$("$bin/pg_config" --sharedir)/extension/jsonrow.control" ] || skip_all "jsonrow is not installed in $bin"

# is DESCRIPTION EXPECTED ACTUAL
is() { check "$1" diff -u --label expected --label actual <(echo "$2") <(echo "$3"); }

# same DESCRIPTION EXPECTED_FILE ACTUAL_FILE: equal, and not empty
same() { check "$1" equal_files "$2" "$3"; }
equal_files() { [ -s "$1" ] && diff -u "$1" "$2"; }

# has TEXT PATTERN, lacks TEXT PATTERN: for check
has() { grep -E -e "$2" <<<"$1" || { printf 'no %s in:\n%s\n' "$2" "$1"; return 1; }; }
lacks() { ! has "$1" "$2"; }

# Assertions, crashes, and what UBSan finds
in_order() { lacks "$(cat "$dir"/*/log)" 'TRAP: |PANIC: |terminated by signal|: runtime error: '; }
finish_servers() {
	check 'the servers stay in order' in_order
	finish
}

# make_cluster NAME SETTING=VALUE...: initdb, by the programs in ${programs[NAME]}, or $bin
make_cluster() {
	local name=$1 options=()
	shift
	# As in all releases, for pg_upgrade: from 18 on they are made unless one says so.
	[[ $("${programs[$name]:-$bin}/initdb" --help) != *no-data-checksums* ]] || options=(--no-data-checksums)
	install -d -o "$PGUSER" "$dir/$name" "$dir/$name/data"
	as_server "${programs[$name]:-$bin}/initdb" -D "$dir/$name/data" --username="$PGUSER" --auth=trust \
		--encoding=UTF8 --locale=C --no-sync "${options[@]}" >"$dir/initdb.log" 2>&1 ||
		{ cat "$dir/initdb.log" >&2; return 1; }
	# The default compression is another one since 19; the sizes of values are compared.
	configure "$name" fsync=off listen_addresses= "unix_socket_directories=$dir/$name" autovacuum=off timezone=UTC \
		shared_buffers=16MB max_connections=20 default_toast_compression=pglz "$@"
}

# configure NAME SETTING=VALUE...
configure() {
	local name=$1 setting
	shift
	for setting in "$@"; do
		printf "%s = '%s'\n" "${setting%%=*}" "${setting#*=}"
	done >>"$dir/$name/data/postgresql.conf"
}

control_cluster() {
	local name=$1
	shift
	(
		cd "$dir"
		as_server "${programs[$name]:-$bin}/pg_ctl" -s -w -t 60 -D "$dir/$name/data" -l "$dir/$name/log" "$@"
	) || { tail -n 50 "$dir/$name/log" >&2; return 1; }
}
start_cluster() { control_cluster "$1" start; }
stop_cluster() { control_cluster "$1" -m fast stop; }

# on NAME DATABASE OPTION...: psql there; the first error ends it.
on() {
	local name=$1 database=$2
	shift 2
	"$bin/psql" -X -q -A -t -v ON_ERROR_STOP=1 -h "$dir/$name" -d "$database" "$@"
}

# fails_on NAME DATABASE PATTERN SQL: with such an error
fails_on() {
	local out
	! out=$(on "$1" "$2" -c "$4" 2>&1) || { echo "$4 succeeds:"; echo "$out"; return 1; }
	has "$out" "$3"
}

# wait_until NAME DATABASE CONDITION: at most a minute
wait_until() {
	local end=$((SECONDS + 60))
	until [ "$(on "$1" "$2" -c "SELECT $3")" = t ]; do
		[ $SECONDS -lt $end ] || { echo "$1: after a minute, this is not true: $3" >&2; return 1; }
		sleep 0.05
	done
}

# copy_without_jsonrow: the server, without a trace of the extension, in $dir/bare.
# Sets $bare, its programs; fails if the server isn't a copy.
copy_without_jsonrow() {
	local root
	root=${bin%"$("$PG_CONFIG" --bindir)"}
	[ -n "$root" ] && [ "$root" != "$bin" ] || return
	cp -al "$root" "$dir/bare" 2>/dev/null || { rm -rf "$dir/bare"; cp -a "$root" "$dir/bare"; }
	# Not directories: the server may have been built in one of that name.
	find "$dir/bare" -type f -name 'jsonrow*' -delete
	bare=$dir/bare$("$PG_CONFIG" --bindir)
	export bare
}

# other_release: sets $other to the version of another release that is installed and can be built for: the oldest
# if it is older than the server, otherwise the newest; empty if there is none, and $why_not tells why.
other_release() {
	local own program version versions=()
	why_not='no other release is installed with its headers'
	own=$("$bin/pg_config" --version | sed 's/[^0-9]*\([0-9]*\).*/\1/')
	for program in /usr/lib/postgresql/*/bin/pg_config; do
		version=${program%/bin/pg_config}
		version=${version##*/}
		[[ $version =~ ^1[5-9]$ ]] && [ "$version" != "$own" ] && [ -x "${program%_config}_upgrade" ] &&
			[ -x "${program%/*}/postgres" ] && [ -e "$("$program" --pgxs)" ] && versions+=("$version")
	done
	other=$(printf '%s\n' "${versions[@]}" | sort -n | head -n 1)
	[ -n "$other" ] || return 0
	older=/usr/lib/postgresql/$other/bin newer=$bin
	if [ "$other" -gt "$own" ]; then
		other=$(printf '%s\n' "${versions[@]}" | sort -n | tail -n 1)
		older=$bin newer=/usr/lib/postgresql/$other/bin
	fi
	# The security releases of November 2026 dump an option of columns that those before them refuse.
	if grep -qa pg_attver "$older/postgres" && ! grep -qa pg_attver "$newer/postgres"; then
		why_not="the installed $other is of another month: one of both lacks the security releases of November 2026"
		other=''
	fi
}

# stage_other: a copy of the server $other with the extension, in $dir/other, as scripts/test makes one.  Sets
# $other_bin, its programs.
stage_other() {
	local PG_CONFIG=/usr/lib/postgresql/$other/bin/pg_config stage=$dir/other bin
	mkdir -p "$stage/root" "$stage/src"
	chmod 755 "$stage" "$stage/root"
	copy_server
	(cd "$top" && tar cf - --exclude='*.o' --exclude='*.bc' Makefile jsonrow*.control jsonrow*.sql src) |
		tar xf - -C "$stage/src"
	make_extension -C "$stage/src" -j "$(nproc)" COPT='-O0 -w'
	make_extension -C "$stage/src" DESTDIR="$stage/root" install
	other_bin=$stage/root$("$PG_CONFIG" --bindir)
}
