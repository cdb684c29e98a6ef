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

# Opens /dev/null for what the caller closed of stdin, stdout and stderr: the JVM's own files would
# get these numbers, and be read and written as such.
open_closed() {
  true >&2 || exec 2>/dev/null
  { true >&1; } 2>/dev/null || exec >/dev/null
  { true <&0; } 2>/dev/null || exec </dev/null
}

# Becomes the program of an `xsched run`, without any of our doings.
#   run_unscheduled WHY run [OPTIONS] [--] PROGRAM [ARGUMENT...]
run_unscheduled() {
  xs_why=$(printf %s "$1" | tr '\n' ' ')
  shift 2
  while [ $# -gt 0 ]; do
    case $1 in
      --) shift; break ;;
      --*=*) shift ;;
      -*) shift; [ $# -gt 0 ] && shift ;; # All of our options have a value.
      *) break ;;
    esac
  done
  [ $# -gt 0 ] || exit 2
  echo "xsched: $1 runs unscheduled: $xs_why" >&2
  exec "$@"
}

# Becomes the program of an `xsched run`. Java looks, starts the daemon and prints what is to be
# done, in the words of a shell; doing it is left to us, who are still here if Java cannot start.
run() {
  [ -x "$xs_java" ] || run_unscheduled "there is no $xs_java" "$@"
  # Ctrl-C may come while Java is at work: a shell might go on after that.
  trap 'exit 130' INT
  xs_answer=$(become_java "$@" </dev/null)
  xs_status=$?
  trap - INT
  case $xs_status:$xs_answer in
    0:*xs_words=*)
      eval "xs_words=${xs_answer#*xs_words=}"
      shift $(($# - xs_words))
      exec "$@"
      ;;
    0:*) printf '%s\n' "$xs_answer" || xs_status=1 ;; # help
    2:* | 12[67]:*) ;; # It said what is wrong with the command line or the program.
    129:* | 13[01]:* | 143:*) ;; # The user has ended it.
    *) run_unscheduled "Java failed: ${xs_answer:-see above}" "$@" ;;
  esac
  exit $xs_status
}

# Becomes `xsched` with these arguments, or the program that it is to run.
start() {
  xs_command=${1:-}
  xs_terminal=
  [ -t 0 ] && xs_terminal=in
  [ -t 1 ] && xs_terminal=$xs_terminal,out
  [ -t 2 ] && xs_terminal=$xs_terminal,err
  case $xs_command in
    run) run "$@" ;;
    *) become_java "$@" ;;
  esac
}

# Becomes Java with these arguments. What is found is put before them, one thing at a time.
become_java() {
  open_closed
  xs_arguments=" $* "

  # The cache holds for a class path that begins with what it was made for: users' jars come last.
  if [ -z "${XSCHED_PLUGINS:-}" ]; then
    xs_class_path=$(class_path_of "$xs_lib")
  elif [ -d "$XSCHED_PLUGINS" ]; then
    xs_class_path=$(class_path_of "$xs_lib" "$XSCHED_PLUGINS")
  elif [ "$xs_command" = run ]; then
    echo "xsched: going on without plugins: XSCHED_PLUGINS names '$XSCHED_PLUGINS', which is no" \
      "folder" >&2
    xs_class_path=$(class_path_of "$xs_lib")
  else
    echo "xsched: XSCHED_PLUGINS names '$XSCHED_PLUGINS', which is no folder;" \
      "give a folder with the jars of your policies and devices" >&2
    exit 2
  fi
  # shellcheck disable=SC2086 # JAVA_OPTS is a list of words by convention
  set -- ${JAVA_OPTS:-} -cp "$xs_class_path" dev.xsched.cli.Main "$@"

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
    # For the program's file, which carries the number of its process, and names in any alphabet.
    run) xs_options="$xs_options -Dxsched.pid=$$ -Dstdout.encoding=UTF-8" ;;
  esac
  # shellcheck disable=SC2086 # a list of words
  exec "$xs_java" $xs_options "$@"
}
