#!/bin/sh
# Runs XSched from its archive, with the Java that came with it. scripts/dist.sh puts it there.
set -u

xs_self=$0
case $xs_self in
  */*) ;;
  *) xs_self=./$xs_self ;;
esac
while [ -L "$xs_self" ]; do
  xs_link=$(readlink "$xs_self")
  case $xs_link in
    /*) xs_self=$xs_link ;;
    *) xs_self=${xs_self%/*}/$xs_link ;;
  esac
done
xs_root=$(CDPATH='' cd -- "${xs_self%/*}/.." && pwd -P) || exit 1

xs_java=$xs_root/runtime/bin/java
xs_lib=$xs_root/lib/java
xs_native=$xs_root/lib
# None: a cache differs from build to build, and the archive must not.
xs_cache=
xs_commit=@COMMIT@

# shellcheck source=scripts/start.sh
. "$xs_root/lib/start.sh"
start "$@"
