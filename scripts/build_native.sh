# shellcheck shell=bash
# shellcheck disable=SC2154 # root, native and state are set by ./xsched
# Builds what ./xsched loads into programs. Sourced by it when the C sources are newer than the last
# build. Without it everything else works: `run` and `doctor` say what is missing.

# shellcheck source=scripts/progress.sh
. "$root/scripts/progress.sh"

make_native() {
  env -u MAKEFLAGS make -s -C "$native" lib >"$native/target/build.log" 2>&1 9>&-
}

build_native() {
  command -v make >/dev/null && command -v cc >/dev/null || return 0
  mkdir -p "$native/target" 2>/dev/null && [ -w "$native/target" ] || return 0
  exec 9>"$native/target/lock"
  if command -v flock >/dev/null; then
    flock 9
    if ! native_is_stale; then
      exec 9>&-
      return 0
    fi
  fi
  # As for Java: what is edited meanwhile is built next.
  : >"$native/target/started"
  if with_progress seconds.native "building the library for programs" 6 make_native; then
    mv "$native/target/started" "$native/target/built"
  else
    echo "xsched: the library for programs could not be built, so they run unscheduled;" \
      "see $native/target/build.log" >&2
  fi
  exec 9>&-
}
