# A container: its own file tree, processes and mounts. Arguments: an empty folder for the tree; the
# repository, which it must not see; files that it gets, as FROM=TO; folders of the host that stand in
# for the image's Python; then --, its working directory, and its command. Its environment is ours.
set -eu
root=$1 hidden=$2
shift 2
mount -t tmpfs tmpfs "$root"
for entry in /*; do
  case $entry in /proc | /tmp | /run) mkdir "$root$entry" ; continue ;; esac
  if [ -L "$entry" ]; then cp -P "$entry" "$root/"
  elif [ -d "$entry" ]; then mkdir "$root$entry"; mount --rbind "$entry" "$root$entry"
  fi
done
mount -t proc proc "$root/proc"
if [ -d "$root$hidden" ]; then mount -t tmpfs tmpfs "$root$hidden"; fi
while [ "$1" != -- ]; do
  from=${1%%=*} to=${1#*=}
  mkdir -p "$root$to"
  mount --rbind "$from" "$root$to"
  shift
done
directory=$2
shift 2
exec chroot "$root" /bin/sh -c 'cd "$0" && exec "$@"' "$directory" "$@"
