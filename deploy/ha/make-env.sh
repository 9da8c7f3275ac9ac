#!/bin/bash
# Writes the environment of one machine, for etcd, Patroni and HAProxy, to standard output:
#   make-env.sh passwords                                      new passwords: one file, the same for all machines
#   make-env.sh NUMBER ADDRESS1 ADDRESS2 ADDRESS3 PASSWORDS    NUMBER is 1, 2 or 3; PASSWORDS is that file
set -eu
if [ "${1:-}" = passwords ]; then
  for name in DATABASE SUPERUSER REPLICATION REWIND RESTAPI; do
    echo "${name}_PASSWORD=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')"
  done
  exit
fi
[ $# = 5 ] || { sed -n 2,4p "$0" >&2; exit 2; }
number=$1
addresses=("$2" "$3" "$4")
machine=${addresses[number - 1]}
. "$5"
cat <<END
# HAProxy
MACHINE=$machine
MACHINE1=$2
MACHINE2=$3
MACHINE3=$4

# etcd 3.4
ETCD_NAME=machine$number
ETCD_ENABLE_V2=true
ETCD_LISTEN_CLIENT_URLS=http://$machine:2379
ETCD_ADVERTISE_CLIENT_URLS=http://$machine:2379
ETCD_LISTEN_PEER_URLS=http://$machine:2380
ETCD_INITIAL_ADVERTISE_PEER_URLS=http://$machine:2380
ETCD_INITIAL_CLUSTER=machine1=http://$2:2380,machine2=http://$3:2380,machine3=http://$4:2380
ETCD_INITIAL_CLUSTER_TOKEN=freehold
ETCD_AUTO_COMPACTION_RETENTION=1h

# Patroni
PATRONI_NAME=machine$number
PATRONI_ETCD_HOSTS=$2:2379,$3:2379,$4:2379
PATRONI_RESTAPI_LISTEN=$machine:8008
PATRONI_RESTAPI_CONNECT_ADDRESS=$machine:8008
PATRONI_RESTAPI_USERNAME=patroni
PATRONI_RESTAPI_PASSWORD=$RESTAPI_PASSWORD
PATRONI_POSTGRESQL_LISTEN=$machine:5432
PATRONI_POSTGRESQL_CONNECT_ADDRESS=$machine:5432
PATRONI_POSTGRESQL_DATA_DIR=/var/lib/postgresql/15/freehold
PATRONI_POSTGRESQL_PGPASS=/var/lib/postgresql/patroni.pgpass
PATRONI_SUPERUSER_USERNAME=postgres
PATRONI_SUPERUSER_PASSWORD=$SUPERUSER_PASSWORD
PATRONI_REPLICATION_USERNAME=replicator
PATRONI_REPLICATION_PASSWORD=$REPLICATION_PASSWORD
PATRONI_REWIND_USERNAME=rewind
PATRONI_REWIND_PASSWORD=$REWIND_PASSWORD
PATRONI_freehold_PASSWORD=$DATABASE_PASSWORD
END
