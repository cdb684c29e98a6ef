#!/bin/sh
# Checks what the library needs and what it offers: test/symbols.sh target/libxsched.so
#   - it needs libc alone (with the two parts of it that were libraries of their own before 2.34),
#     and no version above that of the oldest system it is for
#   - it offers what its tables wrap, what it has to stand in front of, and the functions of xsched.h
set -eu
library=$1
newest=2.31
failed=0

needed=$(objdump -p "$library" | awk '$1 == "NEEDED" { print $2 }' | sort | xargs)
if [ "$needed" != "libc.so.6 libdl.so.2 libpthread.so.0" ]; then
  echo "$library needs other libraries: $needed" >&2
  failed=1
fi

too_new=$(objdump -T "$library" | awk -v newest=$newest '
  match($0, /GLIBC_[0-9.]+/) {
    split(substr($0, RSTART + 6, RLENGTH - 6), version, ".")
    split(newest, most, ".")
    if (version[1] > most[1] || (version[1] == most[1] && version[2] + 0 > most[2] + 0)) print $NF
  }' | xargs)
if [ -n "$too_new" ]; then
  echo "$library needs a glibc above $newest for: $too_new; see src/old_glibc.h" >&2
  failed=1
fi

wrapped() {
  awk '!/^#/ && NF > 0 && $1 != "use" && $1 != "hooks" {
    name = $2
    twin = name ~ /\*$/ ? "_ptsz" : name ~ /\+$/ ? "_ptds" : name ~ /\^$/ ? "_spt" : ""
    sub(/[*+^]$/, "", name)
    print name
    if (twin != "") print name twin
  }' shim/*.table
}
public() {
  sed -n 's/^XResult \([A-Za-z]*\)(.*/\1/p' include/xsched.h
}
{ wrapped; public; printf '%s\n' dlsym dlopen ioctl rocprofiler_register_library_api_table; } | sort -u >"$library.expected"
nm -D --defined-only "$library" | awk '{ print $NF }' | sort -u >"$library.offered"
if ! diff "$library.expected" "$library.offered" >&2; then
  echo "$library offers other names than it should" >&2
  failed=1
fi
rm -f "$library.expected" "$library.offered"
[ $failed -eq 0 ] && echo "ok: the library needs and offers what it should"
exit $failed
