"""A Slurm cluster of its own: MariaDB, munge, slurmdbd, slurmctld and one slurmd with 8 GPUs.

Everything lies in one folder and listens on 127.0.0.1 at free ports; stop() ends all of it.
The GPUs are device files of /dev/null's kind, so whoever starts it must be root. The programs
are those that tools/deps unpacked: nothing is installed, no daemon of the machine is touched.
"""
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

PROGRAMS = ("slurmctld-wlm", "slurmd-wlm", "slurmdbd", "sbatch", "sacct", "munged", "mariadbd")


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for s in sockets:
        s.bind(("127.0.0.1", 0))
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


def servers_root():
    """Where tools/deps unpacked the packages; None if a program is missing."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    root = pathlib.Path(cache) / "plimsoll" / "servers"
    for program in PROGRAMS:
        if not any((root / "usr" / place / program).exists() for place in ("bin", "sbin")):
            return None
    return root


class SlurmCluster:
    def __init__(self, root, folder):
        self.usr, self.folder = pathlib.Path(root) / "usr", pathlib.Path(folder)
        self.folder.mkdir()
        libraries = self.usr / "lib" / "x86_64-linux-gnu"
        base_libraries = self.usr.parent / "lib" / "x86_64-linux-gnu"  # of packages not in /usr
        self.plugins = libraries / "slurm-wlm"
        self.faketime = libraries / "faketime" / "libfaketime.so.1"
        self.env = dict(os.environ, TZ="UTC", SLURM_CONF=str(self.folder / "slurm.conf"),
                        LD_LIBRARY_PATH=f"{libraries}:{self.plugins}:{base_libraries}",
                        PATH=f"{self.folder}/bin:{self.usr}/bin:{self.usr}/sbin:{os.environ['PATH']}")
        self.env.pop("SLURM_TIME_FORMAT", None)
        self.processes = []
        self.database, self.accounting, self.control, self.node = free_ports(4)

    # Configuration ------------------------------------------------------------------------

    def write(self, name, text, mode=0o644):
        path = self.folder / name
        path.write_text(text)
        path.chmod(mode)
        return path

    def configure(self):
        for name in ("state", "spool", "munge", "devices", "bin"):
            (self.folder / name).mkdir(mode=0o700)
        # They are told apart by their own name, which the packages give by alternatives.
        for name in ("slurmctld", "slurmd", "slurmstepd"):
            (self.folder / "bin" / name).symlink_to(self.usr / "sbin" / f"{name}-wlm")
        for gpu in range(8):
            os.mknod(self.folder / "devices" / f"gpu{gpu}", 0o20666, os.makedev(1, 3))
        (self.folder / "munge" / "key").write_bytes(os.urandom(1024))
        (self.folder / "munge" / "key").chmod(0o400)
        socket_path = self.folder / "munge" / "socket"
        self.write("gres.conf", f"Name=gpu Type=h100 File={self.folder}/devices/gpu[0-7]\n")
        self.write("cgroup.conf", "CgroupPlugin=cgroup/v1\n")
        self.write("slurmdbd.conf", f"""
AuthType=auth/munge
AuthInfo=socket={socket_path}
DbdHost=localhost
DbdAddr=127.0.0.1
DbdPort={self.accounting}
SlurmUser=root
PluginDir={self.plugins}
PidFile={self.folder}/slurmdbd.pid
LogFile={self.folder}/slurmdbd.log
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort={self.database}
StorageUser=slurm
StoragePass=slurm
StorageLoc=slurm_acct_db
""", 0o600)
        self.write("slurm.conf", f"""
ClusterName=hpc
SlurmctldHost={socket.gethostname()}(127.0.0.1)
SlurmctldPort={self.control}
SlurmdPort={self.node}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={socket_path}
CredType=cred/munge
PluginDir={self.plugins}
StateSaveLocation={self.folder}/state
SlurmdSpoolDir={self.folder}/spool
SlurmctldPidFile={self.folder}/slurmctld.pid
SlurmdPidFile={self.folder}/slurmd.pid
SlurmctldLogFile={self.folder}/slurmctld.log
SlurmdLogFile={self.folder}/slurmd.log
MailProg=/bin/true
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=sched_min_interval=100000,bf_interval=1
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=1
MinJobAge=2
GresTypes=gpu
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort={self.accounting}
AccountingStoragePass={socket_path}
AccountingStorageTRES=gres/gpu,gres/gpu:h100
AccountingStoreFlags=job_comment
JobRequeue=1
NodeName=g01 NodeHostname={socket.gethostname()} NodeAddr=127.0.0.1 CPUs=64 RealMemory=1000 Gres=gpu:h100:8
PartitionName=gpu Nodes=g01 Default=YES MaxTime=INFINITE State=UP TRESBillingWeights="CPU=1.0,Mem=0.25G"
""")

    # Processes ----------------------------------------------------------------------------

    def start(self, name, *command, env=None):
        log = open(self.folder / f"{name}.out", "ab")
        process = subprocess.Popen(command, env=env or self.env, stdout=log, stderr=log,
                                   stdin=subprocess.DEVNULL, start_new_session=True,
                                   cwd=self.folder)
        self.processes.append((name, process))
        return process

    def wait_for(self, what, condition, seconds=60):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if condition():
                return
            for name, process in self.processes:
                if process.poll() not in (None, 0):
                    raise SystemExit(f"{name} ended with {process.returncode} while waiting "
                                     f"for {what}\n{self.logs()}")
            time.sleep(0.1)
        raise SystemExit(f"no {what} within {seconds} s\n{self.logs()}")

    def logs(self):
        lines = []
        for path in sorted(self.folder.glob("*.out")) + sorted(self.folder.glob("*.log")):
            text = path.read_text(errors="replace")
            lines += [f"--- {path.name}"] + text.splitlines()[-15:]
        return "\n".join(lines)

    def run(self, *command, env=None, check=True):
        done = subprocess.run(command, env=env or self.env, capture_output=True, text=True,
                              timeout=60, cwd=self.folder)
        if check and done.returncode != 0:
            raise SystemExit(f"{' '.join(command)}: exit {done.returncode}\n{done.stdout}"
                             f"{done.stderr}\n{self.logs()}")
        return done.stdout

    def listens(self, port):
        with socket.socket() as s:
            return s.connect_ex(("127.0.0.1", port)) == 0

    def start_database(self):
        data, sock = self.folder / "mysql", self.folder / "mysql.sock"
        self.run("mysql_install_db", "--no-defaults", f"--basedir={self.usr}", f"--datadir={data}",
                 "--user=root", "--auth-root-authentication-method=normal", "--skip-test-db")
        self.start("mariadbd", str(self.usr / "sbin" / "mariadbd"), "--no-defaults",
                   f"--basedir={self.usr}", f"--datadir={data}", "--user=root",
                   f"--lc-messages-dir={self.usr}/share/mysql",
                   f"--plugin-dir={self.usr}/lib/mysql/plugin",
                   f"--socket={sock}", f"--port={self.database}", "--bind-address=127.0.0.1",
                   f"--pid-file={self.folder}/mariadbd.pid", "--innodb-buffer-pool-size=32M",
                   "--innodb-flush-log-at-trx-commit=0", "--skip-name-resolve")
        self.wait_for("MariaDB", lambda: self.listens(self.database))
        self.run("mariadb", "--no-defaults", f"--socket={sock}", "--user=root", "--execute",
                 "CREATE DATABASE slurm_acct_db; CREATE USER slurm@127.0.0.1 IDENTIFIED BY 'slurm';"
                 " GRANT ALL ON slurm_acct_db.* TO slurm@127.0.0.1")

    def start_munge(self):
        home = self.folder / "munge"
        self.start("munged", "munged", "--foreground", "--force", f"--key-file={home}/key",
                   f"--socket={home}/socket", f"--pid-file={home}/pid",
                   f"--log-file={home}/log", f"--seed-file={home}/seed")
        self.wait_for("munge", lambda: (home / "socket").exists())

    def start_accounting(self, env=None):
        process = self.start("slurmdbd", "slurmdbd", "-D", env=dict(
            env or self.env, SLURM_CONF=str(self.folder / "slurmdbd.conf")))
        self.wait_for("slurmdbd", lambda: self.listens(self.accounting))
        return process

    def open(self):
        self.configure()
        self.start_munge()
        self.start_database()
        self.dbd = self.start_accounting()
        for command in (["cluster", "hpc"], ["account", "nlp", "Cluster=hpc"],
                        ["account", "vision", "Cluster=hpc"],
                        ["user", "root", "Account=nlp,vision", "DefaultAccount=nlp"]):
            self.run("sacctmgr", "-i", "add", *command)
        self.start("slurmctld", "slurmctld", "-D", "-f", str(self.folder / "slurm.conf"))
        self.wait_for("slurmctld", lambda: self.listens(self.control))
        self.start("slurmd", "slurmd", "-D", "-f", str(self.folder / "slurm.conf"), "-N", "g01",
                   "-d", str(self.folder / "bin" / "slurmstepd"))
        self.wait_for("an idle node", lambda: "idle" in self.run("sinfo", "-h", "-o", "%T",
                                                                 check=False))

    def end(self, process, seconds=15):
        """Ends a server of ours, by force if it does not end by itself."""
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self.processes = [(name, other) for name, other in self.processes if other != process]

    def stop(self):
        """Ends everything, jobs that still run first: slurmd leaves them to themselves."""
        if any(name == "slurmctld" for name, _ in self.processes):
            self.run("scancel", "--full", "--signal=KILL", "--user=root", check=False)
        for _, process in reversed(self.processes):
            self.end(process)
        shutil.rmtree(self.folder, ignore_errors=True)
