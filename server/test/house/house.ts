import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { type Program, outputOf, watch } from '../processes/program.ts';

/** Where names lead in a house. The directory and the streams have an address each, so that both have port 80. */
const HOSTS = '127.0.0.1 localhost opml.radiotime.com\n127.0.0.2 stream.example.net\n';
const NO_HOUSE =
  'no network of its own could be made for the clients; that needs user namespaces (unshare -Urnmp) and iproute2';

/**
 * The first program of the house, which holds it open. When it ends, the kernel ends every program in the house, and it
 * ends when its input does: with the test, however that went.
 */
const KEEPER = `
  set -e
  ip link set lo up
  # GLib finds no names where 127.0.0.1 is the only address (AI_ADDRCONFIG of getaddrinfo).
  ip address add 127.0.0.2/8 dev lo
  for file in $(cd system; find * -type f); do mount --bind "system/$file" "/$file"; done
  case "$1" in
    internet) ip route add local 0.0.0.0/0 dev lo ;;
    lan)
      # Programs that bind every address at once fail on those of IPv6 that are still being tried.
      echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6
      ip link add lan0 type veth peer name lan1
      ip link set lan1 up
      ip link set lan0 up
      ip address add 192.168.77.1/24 dev lan0
      ip route add 224.0.0.0/4 dev lan0 ;;
  esac
  echo 0 > /proc/sys/net/ipv4/ip_unprivileged_port_start
  echo open
  exec cat > /dev/null`;
const OPEN = ['-Urnm', '--pid', '--fork', '--kill-child', '--mount-proc', 'bash', '-c', KEEPER, 'keeper'];
/** Whom programs take themselves for that refuse to run as root. */
const NOBODY = ['unshare', '-U', '--map-user=65534', '--map-group=65534', '--'];

export interface RunOptions {
  env?: NodeJS.ProcessEnv | undefined;
  asNobody?: boolean;
  /** 60 seconds for a program that is waited for; one that stays ends with the house, and after an hour at the latest. */
  deadlineMs?: number;
}

export interface HouseOptions {
  /** Files of the system that read differently in this house; each exists outside as well. */
  files?: Readonly<Record<string, string>>;
  /** Every address of the internet is in the house: whoever listens there has it. Still nothing leads out. */
  isInternet?: boolean;
  /** It has a network with multicast, `lan0`, in which it is 192.168.77.1. */
  isLan?: boolean;
}

/**
 * A home with a network of its own: no way out, its own names, and port 80 free, as a radio finds it whose owner
 * overrides the name of the directory. Unix sockets lead in and out, being files.
 */
export interface House extends AsyncDisposable {
  folder: string;
  /** Of a process in its network. */
  pid: number;
  /** What stands before a command that somebody else starts, such as a driver of browsers. */
  wayIn: readonly string[];
  /** Starts a program that stays; it ends with the house at the latest. */
  start(program: string, args: readonly string[], options?: RunOptions): Program;
  /** Runs a program to its end and gives what it wrote; fails when it does. */
  run(program: string, args: readonly string[], options?: RunOptions): Promise<string>;
}

export async function openHouse({
  files,
  isInternet = false,
  isLan = false,
}: HouseOptions = {}): Promise<House> {
  const folder = mkdtempSync(join(tmpdir(), 'longwave-house-'));
  chmodSync(folder, 0o755);
  for (const [path, content] of Object.entries({ '/etc/hosts': HOSTS, ...files })) {
    mkdirSync(join(folder, 'system', dirname(path)), { recursive: true });
    writeFileSync(join(folder, 'system', path), content);
  }
  const open = [...OPEN, ...(isInternet ? ['internet'] : isLan ? ['lan'] : [])];
  const keeper = spawn('unshare', open, { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = once(keeper, 'exit');
  await opened(keeper, ended);
  const members = new Set<ChildProcess>();
  const launch = (command: readonly string[], deadlineMs: number, { env, asNobody }: RunOptions) => {
    const door = spawn('nsenter', [...into(keeper.pid!, folder), ...(asNobody ? NOBODY : []), ...command], {
      env: { ...surroundings(folder), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: deadlineMs,
      killSignal: 'SIGKILL',
    });
    members.add(door);
    door.once('close', () => members.delete(door));
    return door;
  };
  return {
    folder,
    pid: keeper.pid!,
    wayIn: ['nsenter', ...into(keeper.pid!, folder)],
    start: (program, args, options = {}) =>
      watch(launch([program, ...args], options.deadlineMs ?? 3_600_000, options)),
    run: (program, args, options = {}) =>
      outputOf(launch([program, ...args], options.deadlineMs ?? 60_000, options), program),
    async [Symbol.asyncDispose]() {
      keeper.stdin.end();
      // A door stops with the program behind it, and stays so though that goes on and ends: nobody would take note of the end.
      for (const door of members) door.kill('SIGCONT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A program that is ended from outside is only the door to the one inside, which has to end with it. */
const into = (pid: number, folder: string): string[] => [
  `--target=${pid}`,
  '--user',
  '--mount',
  '--net',
  `--pid=/proc/${pid}/ns/pid_for_children`,
  `--wdns=${folder}`,
  '--preserve-credentials',
  '--',
  'setpriv',
  '--pdeathsig=KILL',
];

/** Nothing of the tester's own but the path: a proxy or a list of authorities would change what a client does. */
const surroundings = (folder: string): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  HOME: folder,
  LANG: 'C.UTF-8',
});

async function opened(keeper: ChildProcess, ended: Promise<unknown>): Promise<void> {
  const complaint = text(keeper.stderr!);
  const open = once(createInterface({ input: keeper.stdout! }), 'line').then(() => true);
  const isOpen = await Promise.race([open, ended.then(() => false)]).catch((cause: unknown) => {
    throw new Error(NO_HOUSE, { cause });
  });
  if (!isOpen) throw new Error(`${NO_HOUSE}: ${await complaint}`);
}
