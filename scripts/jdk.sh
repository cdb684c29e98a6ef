# shellcheck shell=bash
# Finds the JDK that XSched needs. Sourced by ./xsched and ./test; runs in bash 3.2 and later.

XSCHED_JAVA=25

# Prints the feature release of a Java home ("25"), or nothing. Reads the file that every JDK
# carries, because starting each java to ask would take longer than most of our commands.
jdk_release() {
  local line version
  [ -r "$1/release" ] || return 0
  while IFS= read -r line; do
    case $line in
      JAVA_VERSION=*)
        version=${line#*=}
        version=${version//\"/}
        version=${version%$'\r'}
        printf '%s' "${version%%[!0-9]*}"
        return 0
        ;;
    esac
  done <"$1/release"
}

# Whether a folder is the home of a JDK (not only a runtime) that is new enough.
jdk_fits() {
  [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] || return 1
  local release
  release=$(jdk_release "$1")
  [ -n "$release" ] && [ "$release" -ge "$XSCHED_JAVA" ]
}

# The Java home that the java on the path belongs to, through its symbolic links.
jdk_on_path() {
  local java
  java=$(command -v java) || return 0
  java=$(readlink -f "$java" 2>/dev/null) || return 0
  printf '%s' "${java%/bin/java}"
}

# Sets JAVA_HOME to a JDK that fits: the one the user chose, the one on the path, or the first one
# in the usual folders. Fails if there is none.
find_jdk() {
  local home
  for home in "${JAVA_HOME:-}" "$(jdk_on_path)" \
    /usr/lib/jvm/* /opt/* /opt/*/* /usr/local/* \
    "${HOME:-}"/.sdkman/candidates/java/* "${HOME:-}"/.jdks/* "${HOME:-}"/.jdks/*/Contents/Home \
    /Library/Java/JavaVirtualMachines/*/Contents/Home \
    /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home; do
    if [ -n "$home" ] && jdk_fits "$home"; then
      export JAVA_HOME=$home
      return 0
    fi
  done
  return 1
}

no_jdk() {
  echo "xsched: needs a JDK $XSCHED_JAVA or newer and found none; get one from" \
    "https://adoptium.net or with 'sdk install java', then set JAVA_HOME to it" >&2
}

no_maven() {
  echo "xsched: needs Maven to build itself and found no mvn on the PATH; get it with" \
    "'apt-get install maven', 'brew install maven' or from https://maven.apache.org" >&2
}
