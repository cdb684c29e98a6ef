# shellcheck shell=bash
# shellcheck disable=SC2154 # root and state are set by ./xsched
# Shows that what takes its time goes on. Sourced by it and by the scripts that do such things.

# Runs a command and returns its status. Meanwhile one line on the terminal is kept up to date.
#   with_progress FILE WORDS GUESS COMMAND...
# The file is where it is kept how many seconds it took the last time; the guess is for the first.
with_progress() {
  local file=$state/$1 words=$2 typical=$3 started=$SECONDS pid
  shift 3
  [ -f "$file" ] && read -r typical <"$file"
  if [ -t 2 ]; then
    "$@" &
    pid=$!
    while kill -0 "$pid" 2>/dev/null; do
      printf '\rxsched: %s, %d s (usually about %d s) ' \
        "$words" "$((SECONDS - started))" "$typical" >&2
      sleep 0.3
    done
    printf '\r\033[K' >&2
    wait "$pid"
  else
    "$@"
  fi || return
  { echo "$((SECONDS - started))" >"$file"; } 2>/dev/null
  return 0
}
