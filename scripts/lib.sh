# What the scripts share: find PostgreSQL, install what is missing, and run a
# command against a throw-away server that has the extension.
#
# Nothing is left outside the checkout but the packages installed: the build,
# the staged extension and the server live in a temporary directory that is
# removed on exit, and the system's PostgreSQL is not touched.

set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '\n== %s\n' "$*" >&2; }
die() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; exit 1; }

# The major version of PostgreSQL to use: $PGVERSION, or the newest that is
# installed, or what the distribution would install.
find_version() {
	local v=${PGVERSION:-}
	[ -n "$v" ] || v=$(ls -v /usr/lib/postgresql/ 2>/dev/null | while read -r d; do
		[ -x "/usr/lib/postgresql/$d/bin/postgres" ] && echo "$d"; done | tail -n 1)
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

# install_packages PACKAGE...: install those that are missing, as root or
# with sudo; as a plain user, say what is missing.
install_packages() {
	local missing
	missing=$(missing_packages "$@")
	[ -n "$missing" ] || return 0
	require_rights $missing
	say "installing" $missing
	[ -n "${apt_updated:-}" ] || as_root apt-get update -q >&2
	apt_updated=1
	as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing >&2
}

# install_postgresql EXTRA...: the server, and what building for it takes.
# The package of a server makes a cluster of its own and starts it; we want
# none, and have postgresql-common told so for the time being.
install_postgresql() {
	local no_cluster=/etc/postgresql-common/createcluster.d/jsonrow-scripts.conf
	if [ -z "$(find_version)" ]; then
		require_rights postgresql
		as_root apt-get update -q >&2 || die "PostgreSQL is not installed, and packages cannot be"
		apt_updated=1
	fi
	PGVERSION=$(find_version)
	[ -n "$PGVERSION" ] || die "found no PostgreSQL, installed or to be installed"
	install_packages postgresql-common
	if [ -n "$(missing_packages "postgresql-$PGVERSION")" ]; then
		require_rights "postgresql-$PGVERSION"
		as_root mkdir -p "$(dirname $no_cluster)"
		echo "create_main_cluster = false" | as_root tee $no_cluster >/dev/null
		trap "as_root rm -f $no_cluster" EXIT
		install_packages "postgresql-$PGVERSION"
		as_root rm -f $no_cluster
		trap - EXIT
	fi
	install_packages "postgresql-server-dev-$PGVERSION" make gcc "$@"
	export PGVERSION PG_CONFIG=/usr/lib/postgresql/$PGVERSION/bin/pg_config
}

# Build the extension from a copy of the checkout, and lay out its files as
# an installation would.  Sets $stage, where all this and the server live.
stage_extension() {
	stage=$(mktemp -d "${TMPDIR:-/tmp}/jsonrow.XXXXXX")
	trap 'rm -rf "$stage"' EXIT
	mkdir "$stage/src" "$stage/root" "$stage/socket"
	chmod 755 "$stage" "$stage/src" "$stage/root"
	chmod 777 "$stage/socket"
	(cd "$top" && tar cf - --exclude=.git --exclude='*.o' --exclude='*.bc' --exclude='*.so' .) | tar xf - -C "$stage/src"
	say "building for PostgreSQL $PGVERSION"
	make -s -C "$stage/src" with_llvm=no PG_CONFIG="$PG_CONFIG" >&2
	make -s -C "$stage/src" with_llvm=no PG_CONFIG="$PG_CONFIG" DESTDIR="$stage/root" install >&2
}

# with_server [GUC=VALUE...] -- COMMAND...: run the command against a
# throw-away server on a Unix socket, as its superuser.
with_server() {
	local options=() share lib
	while [ "$1" != -- ]; do options+=(-o "$1"); shift; done
	shift
	share=$("$PG_CONFIG" --sharedir)
	lib=$("$PG_CONFIG" --pkglibdir)
	if grep -q extension_control_path "$share/postgresql.conf.sample"; then
		options+=(-o "extension_control_path=$stage/root$share:\$system"
			-o "dynamic_library_path=$stage/root$lib:\$libdir")
	elif grep -q extension_destdir "$share/postgresql.conf.sample"; then
		options+=(-o "extension_destdir=$stage/root"
			-o "dynamic_library_path=$stage/root$lib:\$libdir")
	else
		die "this PostgreSQL cannot load an extension from elsewhere; it is not Debian's"
	fi
	say "starting a throw-away PostgreSQL $PGVERSION"
	cd "$stage/src"
	TMPDIR=$stage pg_virtualenv -t -v "$PGVERSION" -i "--auth=trust --encoding=UTF8 --locale=C.UTF-8" \
		-o "listen_addresses= " -o "unix_socket_directories=$stage/socket" "${options[@]}" \
		env PGHOST="$stage/socket" PGDATABASE=postgres "$@"
}
