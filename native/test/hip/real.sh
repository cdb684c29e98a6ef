#!/bin/sh
# Checks the table of HIP against the real runtime where its headers and library are installed:
#   test/hip/real.sh OUT LIBXSCHED, where OUT has callers.gen.c
#   - every wrapper has the arguments that the header declares (signatures.cpp)
#   - every wrapped name is in the library, but those that came after ROCm 5.2
#   - a program in front of which we are gets the library's own answers (nodevice.cpp, every.c)
set -eu
callers=$1
out=$1/real
shim=$2
root=${ROCM_PATH:-/opt/rocm}
include=
for folder in "$root/include" /usr/include; do
  [ -z "$include" ] && [ -f "$folder/hip/hip_runtime_api.h" ] && include=$folder
done
library=
for file in "$root/lib/libamdhip64.so" /usr/lib/*/libamdhip64.so; do
  [ -z "$library" ] && [ -e "$file" ] && library=$file
done
if [ -z "$include" ] || [ -z "$library" ]; then
  echo "LEFT OUT: HIP's table was not compared with the real headers; install libamdhip64-dev"
  exit 0
fi
mkdir -p "$out"

${CXX:-g++} -E -P -D__HIP_PLATFORM_AMD__ -isystem "$include" -x c "$include/hip/hip_runtime_api.h" \
  >"$out/declarations"
awk -f test/hip/signatures.awk test/hip/newer-than-5.2.txt "$out/declarations" shim/hip.table \
  >"$out/signatures.gen.h"
${CXX:-g++} -std=c++17 -Wall -Wextra -Wno-builtin-macro-redefined -Wno-deprecated-declarations -D__HIP_PLATFORM_AMD__ \
  -isystem "$include" -I"$out" -fsyntax-only test/hip/signatures.cpp
echo "ok: $(grep -c MATCHES "$out/signatures.gen.h") functions of HIP are as $include declares them"

nm -D --defined-only "$library" | awk '{ sub(/@.*/, "", $3); print $3 }' | sort -u >"$out/there"
awk '!/^#/ && NF > 0 && $1 != "hooks" {
  name = $2
  twin = sub(/\^$/, "", name)
  print name
  if (twin) print name "_spt"
}' shim/hip.table | sort -u | comm -23 - "$out/there" |
  grep -vxFf test/hip/newer-than-5.2.txt | grep -v '^_Z' >"$out/missing" || true
if [ -s "$out/missing" ]; then
  echo "$library lacks what hip.table wraps: $(xargs <"$out/missing")" >&2
  exit 1
fi
echo "ok: $library has what is wrapped"

# By name, as programs are linked; and every function by a search, with nothing for arguments.
${CXX:-g++} -w -D__HIP_PLATFORM_AMD__ -isystem "$include" -o "$out/nodevice" test/hip/nodevice.cpp \
  "$library"
sed -n 's/^int \([A-Za-z0-9_]*\)(.*;$/#pragma weak \1/p' "$callers/callers.gen.c" >"$out/weak.h"
${CC:-gcc} -D_GNU_SOURCE -Wall -Wextra -I"$callers" -include "$out/weak.h" -o "$out/every" \
  test/hip/every.c test/hip/callers.c -Wl,--no-as-needed "$library" -ldl
for program in nodevice every; do
  "$out/$program" >"$out/$program.alone" 2>&1
  XSCHED_DIR=$out/no-daemon LD_PRELOAD=$shim "$out/$program" >"$out/$program.shimmed" 2>"$out/said"
  if ! diff "$out/$program.alone" "$out/$program.shimmed" >&2; then
    echo "a program of HIP's gets other answers with $shim in front" >&2
    exit 1
  fi
done
echo "ok: the real runtime answers the same with us in front, $(wc -l <"$out/every.shimmed") calls"
