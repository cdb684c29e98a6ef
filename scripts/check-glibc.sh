#!/bin/sh
# Says which C library programs and libraries need, and fails if that is newer than allowed:
#   scripts/check-glibc.sh 2.31 native/target/libxsched.so
set -u

if [ $# -lt 2 ]; then
  echo "usage: check-glibc.sh NEWEST-ALLOWED FILE..." >&2
  exit 2
fi
allowed=$1
shift
command -v objdump >/dev/null || {
  echo "check-glibc: needs objdump; get it with 'apt-get install binutils'" >&2
  exit 2
}

# Relative relocations in a packed form are no function, but need glibc 2.36 all the same.
needed_by() {
  objdump -p -T "$1" | grep -o 'GLIBC_[0-9][0-9.]*\|GLIBC_ABI_DT_RELR' |
    sed 's/GLIBC_ABI_DT_RELR/2.36/; s/GLIBC_//' | sort -Vu | tail -n 1
}

status=0
for file; do
  needed=$(needed_by "$file")
  echo "$file: glibc ${needed:-not needed}"
  if [ "$(printf '%s\n%s\n' "$allowed" "$needed" | sort -V | tail -n 1)" != "$allowed" ]; then
    echo "check-glibc: $file needs glibc $needed, and no more than $allowed is allowed;" \
      "it asks for $(objdump -T "$file" | sed -n "s/.*GLIBC_$needed)* *//p" | tr '\n' ' ')" >&2
    status=1
  fi
done
exit $status
