#!/bin/sh
# slurm.sh -- a cluster of two nodes on this machine, and an exploration on it.
#
#     spec-tests/tools/slurm.sh build/loom SCRATCH
#
# Starts munged, a controller and two node daemons, all as processes of this test alone, in SCRATCH. Is the
# database of `loom explore --executor slurm` that of a run here? And when a node dies while points run on it? Where
# they cannot be started (no root, no Slurm), that is said and counted as skipped.
set -u
. "$(dirname "$0")/lib.sh"
need "Slurm" sqlite3 sbatch slurmctld slurmd munged scontrol
[ "$(id -u)" = 0 ] || { skip "Slurm: only root can start its daemons"; checks_end; exit 0; }
loom=$(realpath "$1") scratch=$2
rm -rf "$scratch"
mkdir -p "$scratch"
cd "$scratch" || exit 1
here=$(pwd) said=$scratch/said
daemons=
trap 'for pid in $daemons; do kill -9 $pid 2>/dev/null; done' EXIT
began() { daemons="$daemons $!"; }

mkdir munge ctl a1 a2
chmod 700 munge
head -c 1024 /dev/urandom >munge/key
chmod 400 munge/key
munged -F --force -S "$here/munge/socket" --key-file="$here/munge/key" --pid-file="$here/munge/pid" \
  --log-file="$here/munge/log" --seed-file="$here/munge/seed" >munge/out 2>&1 &
began
host=$(hostname -s)
cat >slurm.conf <<END
ClusterName=loom
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=16817
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$here/munge/socket
CredType=cred/munge
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SlurmdTimeout=5
SchedulerParameters=sched_interval=1,sched_min_interval=0,batch_sched_delay=0
StateSaveLocation=$here/ctl
SlurmctldPidFile=$here/ctl/pid
SlurmctldLogFile=$here/ctl/log
SlurmdSpoolDir=$here/%n/spool
SlurmdPidFile=$here/%n/pid
SlurmdLogFile=$here/%n/log
SlurmdParameters=config_overrides
NodeName=a1 NodeHostname=$host NodeAddr=127.0.0.1 Port=17001 CPUs=2 State=UNKNOWN
NodeName=a2 NodeHostname=$host NodeAddr=127.0.0.1 Port=17002 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=a1,a2 Default=YES State=UP MaxTime=INFINITE
END
SLURM_CONF=$here/slurm.conf
export SLURM_CONF
sleep 0.5
slurmctld -D -c >ctl/out 2>&1 &
began
node() { slurmd -D -N "$1" >"$1/out" 2>&1 & began; eval "$1=$!"; }
node a1
node a2
ready=
for i in 1 2 3 4 5 6 7 8 9 10; do
  [ "$(sinfo -h -t idle -o %D 2>/dev/null)" = 2 ] && ready=yes && break
  sleep 1
done
if [ -z "$ready" ]; then
  skip "Slurm: its daemons do not come up here: $(tail -1 a1/out) $(tail -1 ctl/out)"
  checks_end
  exit 0
fi

cat >poly.mlir <<'END'
func.func @poly(%x: i32, %y: i32) -> i32 {
  %a = arith.muli %x, %x : i32
  %b = arith.addi %a, %y : i32
  return %b : i32
}
END
echo '{"function": "poly", "args": [{"scalar": {"type": "i32", "value": 5}}, {"scalar": {"type": "i32", "value": 3}}],
 "expected": {"results": [28]}}' >poly.json
echo '{"kernels": [{"file": "poly.mlir", "case": "poly.json"}],
 "axes": {"rows": [2, 3], "cols": [2, 3], "tracks": [1, 2], "instructions": [0, 4]}, "wave": 16}' >plan.json
contents() { sqlite3 "$1/explore.db" .dump; }

check "a run here" "$loom" explore plan.json -o here
check "a run by Slurm" "$loom" explore plan.json -o slurm --executor slurm
contents here >here.sql
contents slurm >slurm.sql
check "the same database" cmp here.sql slurm.sql

# A node dies: the controller gives its jobs to the other.
"$loom" explore plan.json -o dying --executor slurm >dying.said 2>&1 &
run=$!
sleep 1
kill -9 "$a2"
wait $run && pass || fail "a node died: $(cat dying.said)"
contents dying >dying.sql
check "the same database after a node died" cmp here.sql dying.sql
checks_end
