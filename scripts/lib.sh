# What the scripts share: find PostgreSQL or build it, install what is missing,
# and run a command against a temporary server that has the extension:
#
#	choose_server packaged		# or asserts, valgrind, toasted
#	stage_extension
#	with_server work_mem=1MB -- psql -f some.sql
#
# Nothing is left outside the checkout except the installed packages: the build,
# a copy of PostgreSQL with the extension, and the server's data live in a
# temporary directory that is removed on exit; the installed PostgreSQL is not
# changed.  What was downloaded or built for later runs is kept in .build, or in
# the directory $BUILD_DIR; remove it to start afresh.
#
# $PG_CONFIG names the PostgreSQL to use, built from source or of any other
# origin.  Otherwise it is Debian's package of release $PGVERSION, or of the
# newest installed release.

set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
server=packaged		# see choose_server
chosen=${PG_CONFIG:-}	# by the user
# For scripts that are called in a copy of the checkout, too
BUILD_DIR=$(realpath -m "${BUILD_DIR:-$top/.build}")
export BUILD_DIR

say() { printf '\n== %s\n' "$*" >&2; }
die() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; exit 1; }

# What the script's header says about its use, for --help and for unknown
# options.
print_usage() { printf '%s\n' "$(sed -n '/^#   /,/^\(#$\|[^#]\)/s/^# \{0,3\}//p' "$0")"; }
usage() { print_usage >&2; exit 2; }
if [[ ${1:-} =~ ^(-h|--help)$ ]]; then
	print_usage
	exit
fi

# The major version of PostgreSQL to use: $PGVERSION, or the newest that is
# installed, or what the distribution would install.
find_version() {
	local v=${PGVERSION:-}
	[ -n "$v" ] || v=$(printf '%s\n' /usr/lib/postgresql/*/bin/postgres | sort -V |
		sed -n 's|.*/\([0-9][0-9]*\)/bin/postgres|\1|p' | tail -n 1)
	[ -n "$v" ] || v=$(apt-cache show postgresql 2>/dev/null |
		sed -n 's/^Depends:.*postgresql-\([0-9]*\).*/\1/p' | head -n 1)
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

# require_rights PACKAGE...: continue only if these could be installed.
require_rights() {
	command -v apt-get >/dev/null || die "this is neither Debian nor Ubuntu; please install what corresponds to:" "$@"
	if [ "$(id -u)" != 0 ] && ! sudo -v 2>/dev/null; then
		die "these packages are missing, and you are neither root nor may use sudo:" "$@"
	fi
}

# need PACKAGE COMMAND...: install the package if the command fails: if it
# succeeds, it does not matter where the tool came from.
need() {
	local package=$1
	shift
	"$@" >/dev/null 2>&1 || install_packages "$package"
}

# Debian's, because another python3 in the PATH may not find Debian's modules.
need_psycopg2() { need python3-psycopg2 /usr/bin/python3 -c 'import psycopg2'; }

update_packages() {
	[ -n "${apt_updated:-}" ] || as_root apt-get update -q >&2
	apt_updated=1
}

# install_packages PACKAGE...: install those that are missing, as root or
# with sudo; as a plain user, say what is missing.  Another run may be installing just now.
install_packages() {
	local missing
	mapfile -t missing < <(missing_packages "$@")
	[ ${#missing[@]} -gt 0 ] || return 0
	require_rights "${missing[@]}"
	say "installing" "${missing[@]}"
	update_packages
	as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
		-o DPkg::Lock::Timeout=600 "${missing[@]}" >&2
}

# wanted_packages PACKAGE...: which of these, and of the packages for the server
# and for building, are missing
wanted_packages() {
	local v
	v=$(find_version)
	[ -n "$chosen" ] || set -- "postgresql${v:+-$v}" "postgresql-server-dev-${v:-all}" make gcc "$@"
	missing_packages "$@"
}

# announce_packages PACKAGE...: before the first one is installed, say which of
# these and of the server's packages will be, and their size; or, if nothing
# can be installed, everything that is missing.
announce_packages() {
	local missing package
	[ -z "${PGVERSION:-}" ] || check_version
	command -v apt-get >/dev/null || return 0
	mapfile -t missing < <(wanted_packages "$@")
	[ ${#missing[@]} -gt 0 ] || return 0
	require_rights "${missing[@]}"
	update_packages
	mapfile -t missing < <(wanted_packages "$@")	# the release is known by now
	for package in "${missing[@]}"; do
		apt-cache show "$package" >/dev/null 2>&1 ||
			die "this system's package sources have no $package (apt.postgresql.org has all releases)"
	done
	say "to be installed: ${missing[*]}"
	as_root env LC_ALL=C apt-get install -q --assume-no --no-install-recommends "${missing[@]}" 2>/dev/null |
		grep -E '^(Need to get|After this operation)' >&2 || true
}

check_version() {
	[[ $PGVERSION =~ ^1[5-9]$ ]] || die "jsonrow is for PostgreSQL 15 to 19, not $PGVERSION"
	export PGVERSION
}

# Sets $PGVERSION, the release to use.
choose_version() {
	if [ -z "$(find_version)" ]; then
		require_rights postgresql
		update_packages || die "PostgreSQL is not installed, and packages cannot be"
	fi
	PGVERSION=$(find_version)
	[ -n "$PGVERSION" ] || die "found no PostgreSQL, installed or to be installed"
	check_version
}

# choose_server packaged|asserts|valgrind|toasted: the PostgreSQL to build for and to
# run: Debian's package, or that of $PG_CONFIG; or built from Debian's source,
# with assertions, to be run under valgrind, or so that rows of over 120 bytes
# are toasted.  Sets PGVERSION and PG_CONFIG for everything that follows.
choose_server() {
	server=$1
	[ "$server" = packaged ] || [ -z "$chosen" ] || die "PG_CONFIG is set, but a server is to be built for $server"
	case $server in
	packaged)
		if [[ $chosen =~ ^/usr/lib/postgresql/([0-9]+)/bin/pg_config$ ]] && command -v apt-get >/dev/null; then
			PGVERSION=${BASH_REMATCH[1]}
			install_postgresql
		elif [ -n "$chosen" ]; then
			use_given_server
		else
			install_postgresql
		fi
		;;
	asserts) build_postgresql --enable-cassert ;;
	valgrind)
		install_packages valgrind libc6-dbg
		build_postgresql CPPFLAGS=-DUSE_VALGRIND
		;;
	toasted) build_postgresql --enable-cassert ;;
	*) die "there is no server \"$server\"" ;;
	esac
}

# use_given_server: that of $chosen, which may be of any origin
use_given_server() {
	local bin given=${PGVERSION:-}
	server=$chosen
	PG_CONFIG=$(command -v "$chosen") || die "there is no PG_CONFIG=$chosen"
	export PG_CONFIG
	bin=$("$PG_CONFIG" --bindir)
	PGVERSION=$("$PG_CONFIG" --version | sed 's/[^0-9]*\([0-9]*\).*/\1/')
	check_version
	[ "${given:-$PGVERSION}" = "$PGVERSION" ] || die "PGVERSION is $given, but PG_CONFIG is of $PGVERSION"
	[ -x "$bin/postgres" ] || die "PG_CONFIG=$chosen is of a PostgreSQL without a server: there is no $bin/postgres"
	[ -e "$("$PG_CONFIG" --pgxs)" ] || die "PG_CONFIG=$chosen is of a PostgreSQL without what building extensions takes"
	need make command -v make
	[ -n "$(command -v "$("$PG_CONFIG" --cc | cut -d ' ' -f 1)")" ] || install_packages gcc libc6-dev
}

# install_postgresql: the server, and what is needed to build for it.
install_postgresql() {
	choose_version
	[ -z "$(missing_packages "postgresql-$PGVERSION")" ] || install_server
	install_packages "postgresql-server-dev-$PGVERSION" make gcc
	export PG_CONFIG=/usr/lib/postgresql/$PGVERSION/bin/pg_config
}

# The package of a server creates a cluster and starts it; we don't want one,
# and tell postgresql-common so in the meantime.
install_server() {
	install_packages postgresql-common
	require_rights "postgresql-$PGVERSION"
	no_cluster=/etc/postgresql-common/createcluster.d/jsonrow-scripts.conf
	made=''
	[ -d "${no_cluster%/*}" ] || { as_root mkdir "${no_cluster%/*}"; made=${no_cluster%/*}; }
	trap allow_clusters EXIT
	echo "create_main_cluster = false" | as_root tee "$no_cluster" >/dev/null
	install_packages "postgresql-$PGVERSION"
	allow_clusters
	trap - EXIT
}

allow_clusters() {
	as_root rm -f "$no_cluster"
	[ -z "$made" ] || as_root rmdir "$made"
}

# build_postgresql CONFIGURE_OPTION...: the server of $server, unless an
# earlier run has built it.  Another script may be building it just now.
build_postgresql() {
	local home
	choose_version
	home=$BUILD_DIR/postgresql-$PGVERSION-$server
	export PG_CONFIG=$home/bin/pg_config
	[ ! -e "$home/complete" ] || return 0
	install_packages make gcc libc6-dev bison flex perl pkg-config liblz4-dev libnuma-dev \
		dpkg-dev patch xz-utils debian-archive-keyring
	mkdir -p "$BUILD_DIR"
	(
		flock 9
		[ -e "$home/complete" ] || compile_postgresql "$home" "$@"
	) 9>"$BUILD_DIR/lock"
}

# compile_postgresql HOME CONFIGURE_OPTION...
compile_postgresql() {
	local home=$1 source=$BUILD_DIR/source-$PGVERSION objects=$1.objects
	shift
	rm -rf "$home" "$objects"
	[ -d "$source" ] || fetch_source "$source"
	say "building PostgreSQL $PGVERSION for $server (some minutes)"
	mkdir "$objects"
	cd "$objects"
	if [ "$server" = toasted ]; then
		# Headers in the directory where it is built are found first.
		mkdir -p src/include/access
		sed 's/\(define TOAST_TUPLES_PER_PAGE\>\).*/\1 64/' \
			"$source/src/include/access/heaptoast.h" >src/include/access/heaptoast.h
	fi
	# As small as the tests allow: they need UTF8, lz4, contrib, and all views
	# of the catalogs, one of which needs libnuma.
	[ "$PGVERSION" -lt 18 ] || set -- --with-libnuma "$@"
	"$source/configure" -q --prefix="$home" --enable-debug CFLAGS=-Og \
		--with-lz4 --without-icu --without-readline --without-zlib "$@" >/dev/null
	make -s -j"$(nproc)" world-bin >/dev/null
	make -s install-world-bin >/dev/null
	cd "$top"
	rm -rf "$objects"
	touch "$home/complete"
}

# The mirror of Debian that this machine uses
debian_mirror() {
	local mirror
	# shellcheck disable=SC2016
	mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Identifier: Packages' |
		sed -n '/\/debian\/*$/{p;q}')
	[ -n "$mirror" ] || die "apt knows no mirror of Debian, whose packages are wanted here"
	echo "$mirror"
}

# fetch_source DIRECTORY: the source package of PostgreSQL $PGVERSION, from any
# suite of Debian that has it, independent of this machine's apt configuration.
fetch_source() {
	local apt=$BUILD_DIR/apt mirror suite version options
	local signed='[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]'
	mirror=$(debian_mirror)
	options=(-q -o "Dir::Etc::SourceList=$apt/sources.list" -o Dir::Etc::SourceParts=-
		-o "Dir::State::Lists=$apt/lists" -o "Dir::Cache=$apt/cache" -o APT::Sandbox::User=root
		-o APT::Get::List-Cleanup=false -o Acquire::Check-Valid-Until=false)
	rm -rf "$apt/source"
	mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/source"
	for suite in oldstable stable testing unstable experimental; do
		say "looking for the source of PostgreSQL $PGVERSION in Debian $suite"
		echo "deb-src $signed $mirror $suite main" >"$apt/sources.list"
		# Minor releases come as security updates first; not every mirror has these.
		echo "deb-src $signed ${mirror%/}-security $suite-security main" >"$apt/sources.list.security"
		apt-get "${options[@]}" update >&2
		if apt-get "${options[@]}" -o "Dir::Etc::SourceList=$apt/sources.list.security" update >&2; then
			cat "$apt/sources.list.security" >>"$apt/sources.list"
		fi
		# The newest, unless the mirror lists it but does not have it.
		for version in $(apt-cache "${options[@]}" showsrc --only-source "postgresql-$PGVERSION" 2>/dev/null |
			sed -n 's/^Version: //p' | sort -rV); do
			(cd "$apt/source" && apt-get "${options[@]}" source "postgresql-$PGVERSION=$version") >&2 || continue
			mv "$apt"/source/postgresql-*/ "$1"
			rm -r "$apt/source"
			return
		done
	done
	die "no suite of Debian gives the source of PostgreSQL $PGVERSION; it may be put in $1"
}

# fetch_pgtap: sets $pgtap, a directory that has pgTAP.  It is only SQL, so that
# of any release will do; there is none for the newest.
fetch_pgtap() {
	local package dir=$BUILD_DIR/pgtap
	pgtap=$(printf '%s\n' /usr/share/postgresql/*/extension/pgtap.control | sort -V | tail -n 1)
	[ ! -e "$dir/pgtap.control" ] || pgtap=$dir/pgtap.control
	if [ ! -e "$pgtap" ]; then
		command -v apt-get >/dev/null || die "please install pgTAP for $PG_CONFIG"
		[ -n "$(pgtap_packages)" ] || { require_rights pgtap; update_packages; }
		package=$(pgtap_packages | tail -n 1)
		[ -n "$package" ] || die "found no package of pgTAP"
		say "fetching $package"
		rm -rf "$dir"
		mkdir -p "$dir"
		(
			cd "$dir" && apt-get -q -o APT::Sandbox::User=root download "$package" >&2 && dpkg-deb -x ./*.deb . &&
				mv usr/share/postgresql/*/extension/pgtap* . && rm -r usr ./*.deb
		)
		pgtap=$dir/pgtap.control
	fi
	pgtap=${pgtap%/*}
}

# stage_pgtap: into the copy of the server, unless it has it
stage_pgtap() {
	local extensions
	extensions=$stage/root$("$PG_CONFIG" --sharedir)/extension
	[ -e "$extensions/pgtap.control" ] || cp "$pgtap"/pgtap* "$extensions"
}

pgtap_packages() { apt-cache pkgnames postgresql- | grep -E '^postgresql-[0-9]+-pgtap$' | sort -V; }

# copy_checkout DIRECTORY: without what was built in it
copy_checkout() {
	tar cf - -C "$top" --exclude=.git --exclude=./.build --exclude=.built-for \
		--exclude='*.o' --exclude='*.bc' --exclude='*.so' . | tar xf - -C "$1"
}

# copy_server: into $stage/root, so that the extension can be installed there.
# PostgreSQL finds its files relative to its program; not every release can be
# told to load extensions from another directory.
copy_server() {
	local bin share lib program
	bin=$("$PG_CONFIG" --bindir)
	share=$("$PG_CONFIG" --sharedir)
	lib=$("$PG_CONFIG" --pkglibdir)
	# Symbolic links are followed, except for dangling ones.
	(
		cd /
		printf '%s\0' "${bin#/}"/{postgres,initdb,pg_ctl,pg_config,psql}
		# What only some checks use, which skip it where there is none
		for program in pg_{basebackup,controldata,dump,dumpall,resetwal,restore,upgrade} vacuumdb; do
			[ ! -x "$bin/$program" ] || printf '%s\0' "${bin#/}/$program"
		done
		find -L "${share#/}" "${lib#/}" -type f -print0
		bundled_libraries "$bin"/{postgres,initdb,psql}
	) | tar cf - -C / -h --null -T - | tar xf - -C "$stage/root"
	bin=$stage/root$bin
	if [ "$("$bin/pg_config" --sharedir)" != "$stage/root$share" ]; then
		die "the PostgreSQL of $PG_CONFIG is not one that can be moved"
	fi
}

# bundled_libraries PROGRAM...: those that are not the system's, without the
# first slash, each ended by a NUL: they, too, may be found by a relative path.
bundled_libraries() {
	ldd "$@" | sed -n 's|.* => \(/[^ ]*\) .*|\1|p' | xargs -r realpath -s | sort -u |
		sed -E '/^\/(usr\/)?lib/d; s|^/||' | tr '\n' '\0'
}

# Build the extension from a copy of the checkout, and install it into a copy
# of the server.  Sets $stage, where all this lives, and $bin, its programs.
stage_extension() {
	stage=$(realpath "$(mktemp -d "${TMPDIR:-/tmp}/jsonrow.XXXXXX")")
	trap 'stop_server || true; rm -rf "$stage"' EXIT
	mkdir "$stage/src" "$stage/root"
	chmod 755 "$stage" "$stage/src" "$stage/root"
	copy_checkout "$stage/src"
	copy_server
	bin=$stage/root$("$PG_CONFIG" --bindir)
	say "building for PostgreSQL $PGVERSION"
	make_extension -C "$stage/src" -j "$(nproc)"
	make_extension -C "$stage/src" DESTDIR="$stage/root" install
}

# Without the bitcode for JIT compilation, which needs clang
make_extension() { make -s with_llvm=no PG_CONFIG="$PG_CONFIG" "$@" >&2; }

# The server does not run as root: root starts it as an unprivileged user.
server_user() {
	if [ "$(id -u)" != 0 ]; then id -un; elif id postgres >/dev/null 2>&1; then echo postgres; else echo nobody; fi
}

as_server() {
	if [ "$(id -u)" = 0 ]; then runuser -u "$(server_user)" -- "$@"; else "$@"; fi
}

pg_ctl() { as_server "$bin/pg_ctl" -s -w -D "$stage/server/data" "$@"; }

# start_server GUC=VALUE...: in $stage/server, on a Unix socket
start_server() {
	local dir=$stage/server setting start=()
	as_server test -x "$bin/postgres" || die "$(server_user), who is to run the server, cannot read $bin"
	set -- fsync=off listen_addresses= "unix_socket_directories=$dir" "$@"
	say "starting a throw-away PostgreSQL $PGVERSION ($server)"
	install -d -o "$(server_user)" "$dir" "$dir/data" "$dir/valgrind"
	as_server "$bin/initdb" -D "$dir/data" --username="$(server_user)" --auth=trust \
		--encoding=UTF8 --locale=C.UTF-8 --no-sync >"$stage/initdb.log" 2>&1 ||
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
			--gen-suppressions=all --suppressions="$BUILD_DIR/source-$PGVERSION/src/tools/valgrind.supp" \\
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

# Bad messages in the log of a stopped server; true if there are none.
server_in_order() {
	local found dir=$stage/server
	found=$(grep -E -A 30 'TRAP: |PANIC: |terminated by signal' "$dir/log" | head -n 200 || true
		grep -l VALGRINDERROR-BEGIN "$dir"/valgrind/*.log 2>/dev/null | xargs -r cat)
	[ -n "$found" ] || return 0
	printf 'not ok - the server stays in order\n%s\n' "$found"
	return 1
}

# What UBSan found in an extension that was built with it, each place once
sanitizer_in_order() {
	local found
	found=$(sed -nE 's|^[./]*(.*: runtime error: .*)|not ok - UBSan: \1|p' "$stage/server/log" | sort -u)
	[ -n "$found" ] || return 0
	echo "$found"
	return 1
}

# with_server [GUC=VALUE...] -- COMMAND...: run the command against a temporary
# server on a Unix socket, as its superuser, in the copy of the checkout.
# Fails, showing the server's messages, if the command fails, the server
# crashed, or valgrind or UBSan found an error.
with_server() {
	local settings=() status=0 port
	while [ "$1" != -- ]; do settings+=("$1"); shift; done
	shift
	port=$(free_port)
	cd "$stage/src"
	start_server "port=$port" "${settings[@]}"
	(
		unset PGHOSTADDR PGSERVICE PGOPTIONS
		export PGHOST=$stage/server PGPORT=$port PGDATABASE=postgres PATH=$bin:$PATH
		PGUSER=$(server_user)
		export PGUSER
		"$@"
	) || status=$?
	stop_server || true
	{ server_in_order && sanitizer_in_order; } | tee "$stage/server/report" || status=1
	return $status
}
