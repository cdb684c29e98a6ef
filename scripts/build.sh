# shellcheck shell=bash
# shellcheck disable=SC2154 # root, lib, state, stamp, cache and xs_start_fast are set by ./xsched
# Builds what ./xsched runs. Sourced by it when the sources are newer than the last build.

# shellcheck source=scripts/progress.sh
. "$root/scripts/progress.sh"

# Runs Maven, then records how the commands start, so that they start faster from then on.
make_all() {
  rm -rf "$lib" "$cache" "$stamp"
  (cd "$root" && MAVEN_OPTS="-XX:+UseSerialGC -XX:TieredStopAtLevel=1 ${MAVEN_OPTS:-}" \
    mvn -q -B -Dquick package) || return 1
  local class_path
  class_path=$(class_path_of "$lib")
  # Not having the cache costs time at each start, nothing else.
  # shellcheck disable=SC2086 # a list of words
  "$JAVA_HOME/bin/java" -XX:AOTCacheOutput="$cache" -Xlog:disable $xs_start_fast \
    --enable-native-access=ALL-UNNAMED -cp "$class_path" dev.xsched.cli.Training || rm -f "$cache"
  return 0
}

make_all_logged() {
  make_all >"$state/build.log" 2>&1 9>&-
}

# For who may not write here: sources of another user, or on a disk that is read-only.
use_old_build() {
  if [ -f "$stamp" ] && [ -d "$lib" ]; then
    echo "xsched: the sources are newer than what is built, and $state is not yours to write to:" \
      "going on with the old build" >&2
  else
    echo "xsched: nothing is built yet, and $state is not yours to write to; have its owner run" \
      "$root/xsched once, or copy the sources into a folder of your own" >&2
    return 1
  fi
}

# Builds under a lock, so that of two launches one builds and the other finds it done.
build() {
  if ! { mkdir -p "$state" && [ -w "$state" ]; } 2>/dev/null; then
    use_old_build
    return
  fi
  if ! command -v mvn >/dev/null; then
    no_maven
    return 2
  fi
  exec 9>"$state/lock"
  # Where there is no flock (macOS), two first launches at the same moment may disturb each other.
  if command -v flock >/dev/null; then
    flock 9
    if ! is_stale; then
      exec 9>&- # Whoever we become would hold the lock for as long as it runs.
      return 0
    fi
  fi
  # The time before the build counts, not the one after: what is edited meanwhile is built next.
  : >"$state/started"
  # The guess includes downloads.
  if ! with_progress seconds building 60 make_all_logged; then
    cat "$state/build.log" >&2
    echo "xsched: the build failed; what it said is above and in $state/build.log" >&2
    return 1
  fi
  mv "$state/started" "$stamp"
  exec 9>&-
}
