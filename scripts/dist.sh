# shellcheck shell=bash
# shellcheck disable=SC2154 # root, lib, state and JAVA_HOME are set by ./xsched
# Makes an archive of XSched that needs neither a JDK nor these sources. Sourced by ./xsched.
#
#   bin/xsched   lib/libxsched.so, xsched-probe   lib/java   our jars and those they need
#   include      python        completion         runtime    the part of a JDK that they need
#   lib/bench, bench/cuda                         what experiments start
#
# The same sources and the same JDK give the same bytes.

# shellcheck source=scripts/progress.sh
. "$root/scripts/progress.sh"

# Programs run wherever this C library or a newer one is: Debian 11, Ubuntu 20.04, RHEL 9.
OLDEST_GLIBC=2.31

# Whatever jars name, without java.desktop and java.sql: Jackson and JLine can make use of them, and
# do without. They would add 19 MB. Of what comes with them, Jackson does need java.xml.
modules_for() {
  "$JAVA_HOME/bin/jdeps" --multi-release "$XSCHED_JAVA" --ignore-missing-deps --print-module-deps \
    -cp "$1/*" "$1"/xsched-*.jar | tail -n 1 | sed 's/java\.desktop/java.xml/; s/,java\.sql//'
}

# The JVM finds the archive of its own classes by itself. It halves the time of a start, and, unlike
# a cache with our classes, is the same each time, if the heap is.
make_runtime() {
  "$JAVA_HOME/bin/jlink" --add-modules "$(modules_for "$1")" --strip-debug --compress zip-6 \
    --no-header-files --no-man-pages --output "$2" &&
    "$2/bin/java" -Xshare:dump -XX:+UseSerialGC -Xmx128m >/dev/null
}

# JMH stays at home: `bench micro` is for who has the sources.
copy_jars() {
  local jar
  mkdir -p "$1" || return 1
  for jar in "$lib"/*.jar; do
    case ${jar##*/} in
      jmh-* | jopt-simple-* | commons-math3-*) ;;
      *) cp "$jar" "$1/" || return 1 ;;
    esac
  done
}

# Copies a file or folder of ours, or remembers that it is not there.
copy_part() {
  local from=$root/$1 to=$2
  if [ -e "$from" ]; then
    mkdir -p "$to" && cp -R "$from" "$to/"
  else
    missing+=("$1")
  fi
}

copy_native_parts() {
  local stage=$1
  if command -v make >/dev/null && command -v gcc >/dev/null; then
    make -s -C "$root/native" >"$state/native.log" 2>&1 || { cat "$state/native.log" >&2; return 1; }
  fi
  copy_part native/target/libxsched.so "$stage/lib"
  copy_part native/target/xsched-probe "$stage/lib"
  copy_part native/target/hip.table "$stage/lib"
  copy_part native/include/xsched.h "$stage/include"
  copy_part python/xsched "$stage/python"
  copy_part native/target/bench/worker "$stage/lib/bench"
  copy_part native/target/bench/checked "$stage/lib/bench"
  copy_part native/target/bench/kernels.cl "$stage/lib/bench"
  copy_part bench/cuda "$stage/bench"
  find "$stage" -name __pycache__ -prune -exec rm -r {} +
}

make_launcher() {
  mkdir -p "$1/bin" "$1/completion" &&
    sed "s/@COMMIT@/$(commit_of_checkout)/" "$root/scripts/launcher.sh" >"$1/bin/xsched" &&
    chmod +x "$1/bin/xsched" &&
    cp "$root/scripts/start.sh" "$1/lib/" &&
    cp "$root/README.md" "$root/LICENSE" "$1/" &&
    "$1/bin/xsched" completion bash >"$1/completion/xsched.bash"
}

check_glibc() {
  local binaries=()
  mapfile -t binaries < <(find "$1" -type f \( -name '*.so' -o -name 'xsched-probe' -o -path '*/bench/worker' -o -path '*/bench/checked' -o -path '*/bin/java' \))
  command -v objdump >/dev/null || return 0 # Then it is for the tests to find out.
  "$root/scripts/check-glibc.sh" "$OLDEST_GLIBC" "${binaries[@]}" >"$state/glibc.log" ||
    echo "xsched: so the archive will not run everywhere; JDKs from https://adoptium.net do" >&2
}

# Names in order, everything of root and of one date, and no date in the compressed file.
pack() {
  local folder=$1 name=$2 archive=$3
  chmod -R u=rwX,go=rX "$folder/$name" &&
    (cd "$folder" && tar --sort=name --mtime='2026-11-01 00:00:00Z' --owner=0 --group=0 \
      --numeric-owner --format=gnu -cf - "$name") | gzip -9n >"$archive.part" &&
    mv "$archive.part" "$archive"
}

# Leaves the archive in a folder and its name in the log; what is wrong is said when it has ended.
make_archive() {
  local out=$1 missing=() jar version name stage
  for jar in "$lib"/xsched-cli-*.jar; do version=${jar##*/xsched-cli-}; done
  name=xsched-${version%.jar}-linux-$(uname -m)
  stage=$state/dist/$name

  rm -rf "$state/dist"
  copy_jars "$stage/lib/java" && copy_native_parts "$stage" || return 1
  if [ ${#missing[@]} -gt 0 ]; then
    echo "xsched: ${missing[*]} not there; install gcc, make and ocl-icd-opencl-dev, and see what make -C native says" >&2
    return 1
  fi
  make_runtime "$stage/lib/java" "$stage/runtime" && make_launcher "$stage" || return 1
  check_glibc "$stage"
  pack "$state/dist" "$name" "$out/$name.tar.gz" || return 1
  rm -rf "$state/dist"
  echo "$out/$name.tar.gz"
}

make_archive_logged() {
  make_archive "$1" >"$state/dist.made" 2>"$state/dist.log"
}

dist() {
  local out=$root/target status=0
  while [ $# -gt 0 ]; do
    case $1 in
      --out)
        out=${2:-}
        { [ -n "$out" ] && : >"$out/.xsched.part" && rm "$out/.xsched.part"; } 2>/dev/null || {
          echo "xsched: cannot write to '$out'; give --out a folder that is yours" >&2
          return 2
        }
        shift
        ;;
      *) echo "xsched: unknown option '$1'; see xsched dist --help" >&2; return 2 ;;
    esac
    shift
  done
  if ! [ -x "$JAVA_HOME/bin/jlink" ]; then
    echo "xsched: $JAVA_HOME has no jlink; set JAVA_HOME to a complete JDK" >&2
    return 2
  fi
  with_progress seconds.dist "making the archive" 20 make_archive_logged "$out" || status=1
  cat "$state/dist.log" >&2
  [ $status -eq 0 ] && cat "$state/dist.made"
  return $status
}
