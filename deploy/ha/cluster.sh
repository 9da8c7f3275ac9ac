#!/bin/bash
# Tries the files of this folder: three machines on one, each with etcd, Patroni and PostgreSQL at an address of its own in 127.0.0.0/8,
# and one HAProxy. What differs from real machines is in the function settings: paths below RUN, and where sockets are.
#   cluster.sh up              starts everything anew, in the empty or new folder RUN, and waits for a leader with a synchronous standby
#   cluster.sh down            ends all that this script has started in RUN
#   cluster.sh leader|standby|status   prints the number of the machine of the leader, or of its synchronous standby; what each Patroni says
#   cluster.sh kill N          kill -9 of all on machine N, as when it loses its power; start N starts it again
#   cluster.sh freeze|thaw N   SIGSTOP and SIGCONT of all on machine N
#   cluster.sh kill-etcd N     kill -9 of etcd alone; start-etcd N starts it again
#   cluster.sh kill-postgres N kill -9 of Patroni and PostgreSQL alone; start-postgres N starts them again
#   cluster.sh switchover      the leader hands over to its standby
#   cluster.sh backup          makes a full backup, as the timer on each machine does
#   cluster.sh recover TIME    sets the database back to that moment ("2027-01-31 12:00:00.5+00"), by the steps of README.md
# RUN and NETWORK (127.83.1, say) may be set.
set -u
here=$(cd "$(dirname "$0")" && pwd)
export RUN=${RUN:-/tmp/freehold-ha}
network=${NETWORK:-127.83.1}
export LC_ALL=C HOME=$RUN PATH=$PATH:/usr/sbin:/sbin
addresses=("$network.1" "$network.2" "$network.3")
postgres=/usr/lib/postgresql/15/bin/postgres
# PostgreSQL refuses to run as root.
as_postgres=(setpriv --reuid=postgres --regid=postgres --init-groups)
[ "$(id -u)" = 0 ] || { echo 'cluster.sh: run it as root' >&2; exit 2; }

# Sets what the programs of machine N are told.
settings() {
  local files=$RUN/machine$1
  set -a
  . "$files/env"
  ETCD_DATA_DIR=$files/etcd
  ETCD_LOG_LEVEL=error
  PATRONI_POSTGRESQL_DATA_DIR=$files/data
  PATRONI_POSTGRESQL_PGPASS=$files/pgpass
  PGBACKREST_CONFIG=$here/pgbackrest.conf
  PGBACKREST_PG1_PATH=$files/data
  PGBACKREST_PG1_SOCKET_PATH=$files/socket
  PGBACKREST_REPO1_PATH=$RUN/repository
  PGBACKREST_LOG_PATH=$files PGBACKREST_LOCK_PATH=$files PGBACKREST_SPOOL_PATH=$files
  HAPROXY_USER=root HAPROXY_ADMIN_SOCKET=$RUN/haproxy.sock
  set +a
}
prepare() {
  local i=$1 files=$RUN/machine$1
  "${as_postgres[@]}" mkdir -p -m 755 "$files/config" "$files/socket"
  (umask 077; "$here/make-env.sh" "$i" "${addresses[@]}" "$RUN/passwords" >"$files/env")
  # All machines have port 5432, and their sockets would have one name.
  ln -sf "$here/patroni.yml" "$files/config/1.yml"
  printf 'postgresql:\n  parameters:\n    unix_socket_directories: %s\nwatchdog:\n  mode: "off"\n' "$files/socket" >"$files/config/2.yml"
}
# Starts a program of machine N in the background, and notes its id. exec: what is noted is the program, not a shell.
launch() {
  local i=$1 name=$2
  shift 2
  (settings "$i"; exec "${as_postgres[@]}" setsid "$@") >>"$RUN/machine$i/$name.log" 2>&1 </dev/null &
  echo $! >"$RUN/machine$i/$name.id"
}
start_etcd() { launch "$1" etcd etcd; }
start_patroni() { launch "$1" patroni patroni "$RUN/machine$1/config"; }
start_haproxy() {
  (settings 1; MACHINE=$network.4 exec setsid haproxy -db -f "$here/haproxy.cfg") >>"$RUN/haproxy.log" 2>&1 </dev/null &
  echo $! >"$RUN/haproxy.id"
}
# Prints the id in the file, if it still is that of such a program.
id_of() {
  local id
  id=$(head -1 "$1" 2>/dev/null) && [ -n "$id" ] && grep -qa "$2" "/proc/$id/cmdline" 2>/dev/null && echo "$id"
}
etcd_of() { id_of "$RUN/machine$1/etcd.id" etcd; }
patroni_of() { id_of "$RUN/machine$1/patroni.id" patroni; }
postmaster_of() { id_of "$RUN/machine$1/data/postmaster.pid" postgres; }
with_children() { for id in "$@"; do echo "$id"; pgrep -P "$id"; done; }
# Those that start others come first.
all_of() { with_children $(patroni_of "$1") $(postmaster_of "$1") $(etcd_of "$1"); }
signal() { local name=$1; shift; [ $# = 0 ] || kill "-$name" "$@" 2>/dev/null; }

says() { [ "$(curl -s -m 1 -o /dev/null -w '%{http_code}' "http://${addresses[$1 - 1]}:8008/$2")" = 200 ]; }
find_machine() { for i in 1 2 3; do says $i "$1" && { echo $i; return; }; done; return 1; }
all_run() { for i in 1 2 3; do says $i health || return 1; done; find_machine primary && find_machine synchronous; }
is_etcd_healthy() { curl -sf -m 1 "http://${addresses[0]}:2379/health" | grep -q '"true"'; }
has_ended() { [ -z "$(patroni_of "$1")$(postmaster_of "$1")" ]; }
wait_for() {
  local seconds=$1
  shift
  for ((turn = 0; turn < seconds * 10; turn++)); do "$@" >/dev/null 2>&1 && return; sleep 0.1; done
  echo "cluster.sh: waited $seconds s in vain: $*; see the logs in $RUN" >&2
  exit 1
}
in_postgres() { (settings "$1"; PGPASSWORD=$PATRONI_SUPERUSER_PASSWORD psql -qXtA -v ON_ERROR_STOP=1 -h "$2" -p "$3" -U postgres "${@:4}"); }
as_machine() { local i=$1; shift; (settings "$i"; "${as_postgres[@]}" "$@"); }
backup() { as_machine "$1" "$here/backup.sh" full; }

up() {
  [ -e "$RUN/passwords" ] && { echo "cluster.sh: $RUN is in use; say down, and delete it" >&2; exit 1; }
  # In /tmp, somebody else may have made it, and would choose what runs as root.
  mkdir -m 755 "$RUN" 2>/dev/null || { [ -O "$RUN" ] && [ ! -L "$RUN" ]; } || { echo "cluster.sh: $RUN is somebody else's; delete it, or set RUN" >&2; exit 1; }
  chmod 755 "$RUN"
  chown postgres: "$RUN"
  (umask 077; "$here/make-env.sh" passwords >"$RUN/passwords")
  "${as_postgres[@]}" mkdir -p "$RUN/repository"
  for i in 1 2 3; do prepare $i; start_etcd $i; done
  wait_for 60 is_etcd_healthy
  for i in 1 2 3; do start_patroni $i; done
  start_haproxy
  wait_for 180 all_run
  as_machine "$(find_machine primary)" pgbackrest --stanza=freehold stanza-create || exit 1
  wait_for 30 in_postgres 1 "$network.4" 5000 -c 'select 1'
  in_postgres 1 "$network.4" 5000 -c 'create database freehold owner freehold' || exit 1
  describe
}
describe() {
  . "$RUN/passwords"
  echo "DATABASE_URL=postgres://freehold:$DATABASE_PASSWORD@$network.4:5000/freehold"
}
down() {
  signal KILL $(id_of "$RUN/haproxy.id" haproxy)
  for i in 1 2 3; do signal KILL $(all_of $i); done
  return 0
}
recover() {
  # 1. Stop Patroni on all machines, and with it PostgreSQL.
  for i in 1 2 3; do signal CONT $(all_of $i); signal TERM $(patroni_of $i); done
  for i in 1 2 3; do wait_for 60 has_ended $i; done
  # 2. On the first, restore the files. PostgreSQL replays the WAL up to the moment, and is its own leader then.
  as_machine 1 pgbackrest --stanza=freehold --delta --type=time --target="$1" --target-action=promote restore || exit 1
  as_machine 1 "${postgres%/*}/pg_ctl" -D "$RUN/machine1/data" -w -t 300 -l "$RUN/machine1/recovery.log" \
    -o "-c listen_addresses='' -c unix_socket_directories=$RUN/machine1/socket -c synchronous_standby_names=''" start || exit 1
  wait_for 300 is_promoted
  as_machine 1 "${postgres%/*}/pg_ctl" -D "$RUN/machine1/data" -w -m fast stop || exit 1
  # 3. Forget the cluster in etcd. 4. Start Patroni on the first.
  printf 'freehold\nYes I am aware\n' | as_machine 1 patronictl -c "$RUN/machine1/config" remove freehold >/dev/null || exit 1
  start_patroni 1
  wait_for 60 says 1 primary
  # 5. The others are copied from it.
  for i in 2 3; do rm -rf "$RUN/machine$i/data"; start_patroni $i; done
  wait_for 120 all_run
}
is_promoted() { [ "$(as_machine 1 psql -qXtA -h "$RUN/machine1/socket" -p 5432 -U postgres -c 'select pg_is_in_recovery()')" = f ]; }

case "${1:-}" in
up) up ;;
down) down ;;
start) start_etcd "$2"; start_patroni "$2" ;;
start-etcd) start_etcd "$2" ;;
start-postgres) start_patroni "$2" ;;
leader) find_machine primary ;;
standby) find_machine synchronous ;;
status) for i in 1 2 3; do echo "machine$i $(curl -s -m 1 "http://${addresses[i - 1]}:8008/patroni")"; done ;;
kill) signal KILL $(all_of "$2") ;;
kill-postgres) signal KILL $(with_children $(patroni_of "$2") $(postmaster_of "$2")) ;;
kill-etcd) signal KILL $(etcd_of "$2") ;;
freeze) signal STOP $(all_of "$2") ;;
thaw) signal CONT $(all_of "$2") ;;
switchover)
  leader=$(find_machine primary) || exit 1
  as_machine "$leader" patronictl -c "$RUN/machine$leader/config" switchover --master "machine$leader" --force >/dev/null ;;
wait) wait_for 120 all_run ;;
backup) backup "$(find_machine primary)" ;;
recover) recover "$2" ;;
*) sed -n 2,14p "$0" >&2; exit 2 ;;
esac
