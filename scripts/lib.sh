# What the scripts share: find PostgreSQL or build it, install what is missing,
# and run a command against a throw-away server that has the extension:
#
#	choose_server packaged		# or asserts, or valgrind
#	stage_extension
#	with_server work_mem=1MB -- psql -f some.sql
#
# Nothing is left outside the checkout but the packages installed: the build,
# the staged extension and the server live in a temporary directory that is
# removed on exit, and the system's PostgreSQL is not touched.  Servers that
# were built are kept in .build; remove it to have them built anew.

set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
server=packaged		# see choose_server

say() { printf '\n== %s\n' "$*" >&2; }
die() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; exit 1; }

# The major version of PostgreSQL to use: $PGVERSION, or the newest that is
# installed, or what the distribution would install.
find_version() {
	local v=${PGVERSION:-}
	[ -n "$v" ] || v=$(printf '%s\n' /usr/lib/postgresql/*/bin/postgres | sort -V | sed -n 's|.*/\([0-9][0-9]*\)/bin/postgres|\1|p' | tail -n 1)
	[ -n "$v" ] || v=$(apt-cache show postgresql 2>/dev/null | sed -n 's/^Depends:.*postgresql-\([0-9]*\).*/\1/p' | head -n 1)
	echo "$v"
}

missing_packages() {
	local p
	for p in "$@"; do
		dpkg-query -W -f '${Status}' "$p" 2>/dev/null | grep -q 'install ok installed' || echo "$p"
	done
}

as_root() {
	if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# require_rights PACKAGE...: go on only where these could be installed.
require_rights() {
	command -v apt-get >/dev/null || die "this is neither Debian nor Ubuntu; please install what corresponds to:" "$@"
	if [ "$(id -u)" != 0 ] && ! sudo -v 2>/dev/null; then
		die "these packages are missing, and you are neither root nor may use sudo:" "$@"
	fi
}

update_packages() {
	[ -n "${apt_updated:-}" ] || as_root apt-get update -q >&2
	apt_updated=1
}

# install_packages PACKAGE...: install those that are missing, as root or
# with sudo; as a plain user, say what is missing.
install_packages() {
	local missing
	mapfile -t missing < <(missing_packages "$@")
	[ ${#missing[@]} -gt 0 ] || return 0
	require_rights "${missing[@]}"
	say "installing" "${missing[@]}"
	update_packages
	as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}" >&2
}

# Sets $PGVERSION, the release to use.
choose_version() {
	if [ -z "$(find_version)" ]; then
		require_rights postgresql
		update_packages || die "PostgreSQL is not installed, and packages cannot be"
	fi
	PGVERSION=$(find_version)
	[ -n "$PGVERSION" ] || die "found no PostgreSQL, installed or to be installed"
	[[ $PGVERSION =~ ^1[5-9]$ ]] || die "jsonrow is for PostgreSQL 15 to 19, not $PGVERSION"
	export PGVERSION
}

# choose_server packaged|asserts|valgrind: the PostgreSQL to build for and to
# run: Debian's package; or built from Debian's source, with assertions, or to
# be run under valgrind.  Sets PGVERSION and PG_CONFIG for all that follows.
choose_server() {
	server=$1
	case $server in
	packaged) install_postgresql ;;
	asserts) build_postgresql --enable-cassert ;;
	valgrind)
		install_packages valgrind libc6-dbg
		build_postgresql CPPFLAGS=-DUSE_VALGRIND
		;;
	*) die "there is no server \"$server\"" ;;
	esac
}

# install_postgresql: the server, and what building for it takes.
# The package of a server makes a cluster of its own and starts it; we want
# none, and have postgresql-common told so for the time being.
install_postgresql() {
	no_cluster=/etc/postgresql-common/createcluster.d/jsonrow-scripts.conf
	choose_version
	if [ -n "$(missing_packages "postgresql-$PGVERSION")" ]; then
		install_packages postgresql-common
		require_rights "postgresql-$PGVERSION"
		as_root mkdir -p "$(dirname "$no_cluster")"
		echo "create_main_cluster = false" | as_root tee "$no_cluster" >/dev/null
		trap 'as_root rm -f "$no_cluster"' EXIT
		install_packages "postgresql-$PGVERSION"
		as_root rm -f "$no_cluster"
		trap - EXIT
	fi
	install_packages "postgresql-server-dev-$PGVERSION" make gcc
	export PG_CONFIG=/usr/lib/postgresql/$PGVERSION/bin/pg_config
}

# build_postgresql CONFIGURE_OPTION...: the server of $server, unless an
# earlier run has built it.  Another script may be building it just now.
build_postgresql() {
	local home
	choose_version
	home=$top/.build/postgresql-$PGVERSION-$server
	export PG_CONFIG=$home/bin/pg_config
	[ ! -e "$home/complete" ] || return 0
	install_packages make gcc libc6-dev bison flex perl pkg-config liblz4-dev libnuma-dev dpkg-dev patch xz-utils debian-archive-keyring
	mkdir -p "$top/.build"
	(
		flock 9
		[ -e "$home/complete" ] || compile_postgresql "$home" "$@"
	) 9>"$top/.build/lock"
}

# compile_postgresql HOME CONFIGURE_OPTION...
compile_postgresql() {
	local home=$1 source=$top/.build/source-$PGVERSION objects=$1.objects
	shift
	rm -rf "$home" "$objects"
	[ -d "$source" ] || fetch_source "$source"
	say "building PostgreSQL $PGVERSION for $server (some minutes)"
	mkdir "$objects"
	cd "$objects"
	# As lean as the tests allow: they want UTF8, lz4, contrib, and all of the
	# catalogs' views, of which one needs libnuma.
	[ "$PGVERSION" -lt 18 ] || set -- --with-libnuma "$@"
	"$source/configure" -q --prefix="$home" --enable-debug CFLAGS=-Og \
		--with-lz4 --without-icu --without-readline --without-zlib "$@" >/dev/null
	make -s -j"$(nproc)" world-bin >/dev/null
	make -s install-world-bin >/dev/null
	copy_pgtap "$home/share/extension"
	cd "$top"
	rm -rf "$objects"
	touch "$home/complete"
}

# fetch_source DIRECTORY: the source package of PostgreSQL $PGVERSION, with
# Debian's patches: without them, 15 to 17 load extensions from one place only.
# It comes from whichever suite of Debian has it, by the mirror that this
# machine uses, but beside its apt configuration.
fetch_source() {
	local apt=$top/.build/apt mirror suite version options
	# shellcheck disable=SC2016
	mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Identifier: Packages' | sed -n '/\/debian\/*$/{p;q}')
	[ -n "$mirror" ] || die "apt knows no mirror of Debian, whose source packages would be built here"
	options=(-q -o "Dir::Etc::SourceList=$apt/sources.list" -o Dir::Etc::SourceParts=-
		-o "Dir::State::Lists=$apt/lists" -o "Dir::Cache=$apt/cache" -o APT::Sandbox::User=root
		-o APT::Get::List-Cleanup=false -o Acquire::Check-Valid-Until=false)
	rm -rf "$apt/source"
	mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/source"
	for suite in oldstable stable testing unstable experimental; do
		say "looking for the source of PostgreSQL $PGVERSION in Debian $suite"
		echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" >"$apt/sources.list"
		apt-get "${options[@]}" update >&2
		# The newest, unless the mirror knows of it but does not have it.
		for version in $(apt-cache "${options[@]}" showsrc --only-source "postgresql-$PGVERSION" 2>/dev/null | sed -n 's/^Version: //p' | sort -rV); do
			(cd "$apt/source" && apt-get "${options[@]}" source "postgresql-$PGVERSION=$version") >&2 || continue
			mv "$apt"/source/postgresql-*/ "$1"
			rm -r "$apt/source"
			return
		done
	done
	die "no suite of Debian gives the source of PostgreSQL $PGVERSION (16 is in none); it may be put in $1"
}

# copy_pgtap DIRECTORY: pgTAP is only SQL, so that of any release will do.
copy_pgtap() {
	local package dir=$top/.build/pgtap
	package=$(apt-cache pkgnames postgresql- | grep -E '^postgresql-[0-9]+-pgtap$' | sort -V | tail -n 1)
	[ -n "$package" ] || die "found no package of pgTAP"
	rm -rf "$dir"
	mkdir "$dir"
	(cd "$dir" && apt-get -q -o APT::Sandbox::User=root download "$package" >&2 && dpkg-deb -x ./*.deb .)
	cp "$dir"/usr/share/postgresql/*/extension/pgtap* "$1"
	rm -r "$dir"
}

# Build the extension from a copy of the checkout, and lay out its files as
# an installation would.  Sets $stage, where all this and the server live.
stage_extension() {
	stage=$(mktemp -d "${TMPDIR:-/tmp}/jsonrow.XXXXXX")
	trap 'stop_server || true; rm -rf "$stage"' EXIT
	mkdir "$stage/src" "$stage/root"
	chmod 755 "$stage" "$stage/src" "$stage/root"
	(cd "$top" && tar cf - --exclude=.git --exclude=./.build --exclude='*.o' --exclude='*.bc' --exclude='*.so' .) | tar xf - -C "$stage/src"
	say "building for PostgreSQL $PGVERSION"
	make -s -C "$stage/src" with_llvm=no PG_CONFIG="$PG_CONFIG" >&2
	make -s -C "$stage/src" with_llvm=no PG_CONFIG="$PG_CONFIG" DESTDIR="$stage/root" install >&2
}

# The server does not run as root: root has it run by one who has no rights.
server_user() {
	if [ "$(id -u)" != 0 ]; then id -un; elif id postgres >/dev/null 2>&1; then echo postgres; else echo nobody; fi
}

as_server() {
	if [ "$(id -u)" = 0 ]; then runuser -u "$(server_user)" -- "$@"; else "$@"; fi
}

pg_ctl() { as_server "$("$PG_CONFIG" --bindir)/pg_ctl" -s -w -D "$stage/server/data" "$@"; }

# start_server GUC=VALUE...: in $stage/server, on a Unix socket
start_server() {
	local dir=$stage/server bin share lib setting start=()
	bin=$("$PG_CONFIG" --bindir)
	share=$("$PG_CONFIG" --sharedir)
	lib=$("$PG_CONFIG" --pkglibdir)
	as_server test -x "$bin/postgres" || die "$(server_user), who is to run the server, cannot read $bin"
	set -- fsync=off listen_addresses= "unix_socket_directories=$dir" \
		"dynamic_library_path=$stage/root$lib:\$libdir" "$@"
	if grep -q extension_control_path "$share/postgresql.conf.sample"; then
		set -- "extension_control_path=$stage/root$share:\$system" "$@"
	elif grep -q extension_destdir "$share/postgresql.conf.sample"; then
		set -- "extension_destdir=$stage/root" "$@"
	else
		die "this PostgreSQL cannot load an extension from elsewhere; it is not Debian's"
	fi
	say "starting a throw-away PostgreSQL $PGVERSION ($server)"
	install -d -o "$(server_user)" "$dir" "$dir/data" "$dir/valgrind"
	as_server "$bin/initdb" -D "$dir/data" --username="$(server_user)" --auth=trust --encoding=UTF8 --locale=C.UTF-8 --no-sync >"$stage/initdb.log" 2>&1 ||
		{ cat "$stage/initdb.log" >&2; die "initdb failed"; }
	for setting in "$@"; do echo "${setting%%=*} = '${setting#*=}'"; done >>"$dir/data/postgresql.conf"
	if [ "$server" = valgrind ]; then
		under_valgrind "$bin/postgres" >"$dir/postgres"
		chmod 755 "$dir/postgres"
		start=(-p "$dir/postgres")
	fi
	pg_ctl -t 300 -l "$dir/log" "${start[@]}" start || { cat "$dir/log" >&2; die "the server does not start"; }
}

# A script that runs the program as PostgreSQL's developers do under valgrind
under_valgrind() {
	cat <<-EOF
		#!/bin/sh
		exec valgrind --quiet --leak-check=no --trace-children=yes --vgdb=no --time-stamp=yes \\
			--gen-suppressions=all --suppressions="$top/.build/source-$PGVERSION/src/tools/valgrind.supp" \\
			--error-markers=VALGRINDERROR-BEGIN,VALGRINDERROR-END --log-file="$stage/server/valgrind/%p.log" \\
			"$1" "\$@"
	EOF
}

# A TCP port that nobody listens on: a server on a Unix socket has a port of
# its directory's own, but scripts/bench listens on localhost, too.
free_port() {
	local port=54321
	while (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do port=$((port + 1)); done
	echo $port
}

stop_server() {
	[ ! -e "$stage/server/data/postmaster.pid" ] || pg_ctl -m fast stop || pg_ctl -m immediate stop
}

# What a server that has been stopped should not have said; true if nothing.
server_in_order() {
	local found dir=$stage/server
	found=$(grep -E -A 30 'TRAP: |PANIC: |terminated by signal' "$dir/log" | head -n 200 || true
		grep -l VALGRINDERROR-BEGIN "$dir"/valgrind/*.log 2>/dev/null | xargs -r cat)
	[ -n "$found" ] || return 0
	printf 'not ok - the server stays in order\n%s\n' "$found"
	return 1
}

# with_server [GUC=VALUE...] -- COMMAND...: run the command against a
# throw-away server on a Unix socket, as its superuser, in the copy of the
# checkout.  Fails if the command does or the server crashed, with what the
# server said; so does any error that valgrind found.
with_server() {
	local settings=() status=0 port
	while [ "$1" != -- ]; do settings+=("$1"); shift; done
	shift
	port=$(free_port)
	cd "$stage/src"
	start_server "port=$port" "${settings[@]}"
	env -u PGHOSTADDR -u PGSERVICE PGHOST="$stage/server" PGPORT="$port" PGUSER="$(server_user)" PGDATABASE=postgres \
		PATH="$("$PG_CONFIG" --bindir):$PATH" "$@" || status=$?
	stop_server || true
	server_in_order || status=1
	return $status
}
