# For tests that are written in bash, which source this: they print TAP.
#
#	check DESCRIPTION COMMAND...	the command succeeds; its output is shown if not
#	follow DESCRIPTION COMMAND...	the same; its output is shown as it comes
#	skip DESCRIPTION WHY		this is not tested
#	finish				at the end; fails if a test has failed
tests=0
failures=0

# report STATUS DESCRIPTION
report() {
	tests=$((tests + 1))
	[ "$1" = 0 ] || { failures=$((failures + 1)); printf 'not '; }
	echo "ok $tests - $2"
}

comment() { printf '# %s\n' "${1//$'\n'/$'\n# '}"; }

check() {
	local description=$1 out status=0
	shift
	out=$("$@" 2>&1) || status=$?
	report $status "$description"
	[ $status = 0 ] || comment "$out"
}

follow() {
	local description=$1 status
	shift
	set +e
	"$@" 2>&1 | sed -u 's/^/# /'
	status=${PIPESTATUS[0]}
	set -e
	report "$status" "$description"
}

skip() {
	tests=$((tests + 1))
	echo "ok $tests - $1 # SKIP $2"
}

finish() {
	echo "1..$tests"
	[ $failures = 0 ]
	exit
}
