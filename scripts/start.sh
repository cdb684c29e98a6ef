# shellcheck shell=sh
# shellcheck disable=SC2154 # xs_java, xs_lib, xs_native, xs_cache and xs_commit are set by callers
# Becomes the Java program. ./xsched and the launcher of an archive share this, so it keeps to what
# every POSIX shell has. Names begin with xs_, because `run` hands a user's variables on to programs
# and must not change one that happens to have the same name.
#
#   xs_java    the JVM                     xs_native  the folder of the native library
#   xs_lib     the folder with our jars    xs_cache   a start-up cache; it may be missing
#   xs_commit  for the version; may be empty

# For commands that end before a second compiler or a parallel collector could be of use.
xs_start_fast="-XX:+UseSerialGC -XX:TieredStopAtLevel=1"

# Prints the jars of some folders as a class path, in that order. In a subshell: the order of the
# jars is part of what the start-up cache is made for, so it must not follow the locale.
class_path_of() (
  LC_ALL=C
  xs_path=
  for xs_folder; do
    for xs_jar in "$xs_folder"/*.jar; do
      [ -f "$xs_jar" ] && xs_path=$xs_path${xs_path:+:}$xs_jar
    done
  done
  printf '%s' "$xs_path"
)

# Whether an open file is closed in the next program. Shells keep their script open like that; the
# JVM may get the same number for a file of its own.
closes_at_exec() {
  while read -r xs_name xs_value; do
    if [ "$xs_name" = flags: ]; then
      [ $((xs_value & 02000000)) -ne 0 ]
      return
    fi
  done 2>/dev/null <"/proc/$$/fdinfo/$1"
  return 1
}

# Sets xs_inherited to the files that the caller left open for us. The folder that is read for this
# is open meanwhile, so each is looked at again.
find_inherited() {
  xs_inherited=
  for xs_file in "/proc/$$/fd"/*; do
    if [ -e "$xs_file" ] || [ -L "$xs_file" ]; then
      closes_at_exec "${xs_file##*/}" || xs_inherited=$xs_inherited,${xs_file##*/}
    fi
  done
}

# Becomes `xsched` with these arguments. What is found is put before them, one thing at a time.
start() {
  xs_command=${1:-}
  xs_arguments=" $* "

  # The cache holds for a class path that begins with what it was made for: users' jars come last.
  if [ -z "${XSCHED_PLUGINS:-}" ]; then
    xs_class_path=$(class_path_of "$xs_lib")
  elif [ -d "$XSCHED_PLUGINS" ]; then
    xs_class_path=$(class_path_of "$xs_lib" "$XSCHED_PLUGINS")
  else
    echo "xsched: XSCHED_PLUGINS names '$XSCHED_PLUGINS', which is no folder;" \
      "give a folder with the jars of your policies and devices" >&2
    exit 2
  fi
  # shellcheck disable=SC2086 # JAVA_OPTS is a list of words by convention
  set -- ${JAVA_OPTS:-} -cp "$xs_class_path" dev.xsched.cli.Main "$@"

  xs_terminal=
  [ -t 0 ] && xs_terminal=in
  [ -t 1 ] && xs_terminal=$xs_terminal,out
  [ -t 2 ] && xs_terminal=$xs_terminal,err
  set -- --enable-native-access=ALL-UNNAMED -Dxsched.terminal="$xs_terminal" \
    -Dxsched.native="$xs_native" "$@"
  [ -n "$xs_commit" ] && set -- -Dxsched.commit="$xs_commit" "$@"
  # A missing cache makes the JVM print errors; one of another JDK is left alone in silence this way.
  [ -f "$xs_cache" ] &&
    set -- -XX:AOTCache="$xs_cache" -Dxsched.cache="$xs_cache" -Xlog:disable -Xlog:all=off "$@"

  xs_options=$xs_start_fast
  case $xs_command in
    demo | bench) xs_options= ;;
    serve)
      # The daemon itself lives long; whoever only starts it does not.
      case $xs_arguments in
        *" --private "*) xs_options="$xs_options -Xmx64m -Xss512k" ;;
        *" --foreground "*) xs_options="-XX:+UseSerialGC -Xmx256m -Xss512k" ;;
      esac
      ;;
    run)
      # A program inherits limits, what is in a core dump, and files that are open: Java would raise
      # the limit of these, put more into a dump, and leave its own files open.
      find_inherited
      set -- -Dxsched.inherited="$xs_inherited" -XX:-MaxFDLimit -XX:+UnlockDiagnosticVMOptions \
        -XX:-DumpPrivateMappingsInCore -XX:-DumpSharedMappingsInCore "$@"
      ;;
  esac
  # shellcheck disable=SC2086 # a list of words
  exec "$xs_java" $xs_options "$@"
}
