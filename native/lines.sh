#!/bin/sh
# How much is written by hand for each platform, without blank lines and comments, beside what the
# original XSched (OSDI 2025, table 3: shim and adapter) has: lines.sh PLATFORM... -- SHARED...
set -eu

# Lines of C or of a table with something else than a comment on them.
count() {
  awk 'FILENAME ~ /\.(table|awk)$/ { if (!/^#/ && NF > 0) lines++; next }
    { code = ""; line = $0
      while (line != "") {
        if (inside) {
          end = index(line, "*/")
          if (end == 0) { line = ""; break }
          inside = 0; line = substr(line, end + 2)
        } else {
          start = index(line, "/*")
          if (start == 0) { code = code line; line = "" }
          else { code = code substr(line, 1, start - 1); inside = 1; line = substr(line, start + 2) }
        }
      }
      sub(/\/\/.*/, "", code)
      if (code ~ /[^ \t]/) lines++ }
    END { print lines + 0 }' "$@"
}

paper() {
  case $1 in
    opencl) echo "204 + 350" ;;
    cuda) echo "318 + 511" ;;
    hip) echo "316 + 841" ;;
  esac
}

printf '%-10s %8s %8s   %s\n' platform table code "the original's shim + adapter"
for platform; do
  shift
  [ "$platform" = -- ] && break
  # shellcheck disable=SC2046 # files of ours have no blanks in their names
  printf '%-10s %8d %8d   %s\n' "$platform" "$(count "shim/$platform.table")" \
    "$(count $(ls shim/"$platform"*.c shim/"$platform"*.h 2>/dev/null))" "$(paper "$platform")"
done
printf '%-10s %8s %8d\n' shared - "$(count "$@")"
