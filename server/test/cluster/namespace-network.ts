import { execFileSync } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';

/**
 * Machines of a cluster on one machine: a network namespace each, on a switch that is a namespace too. Needs root. What happens
 * to a machine's network happens in these namespaces and nowhere else.
 */
export interface NamespaceNetwork extends Disposable {
  /** Of the test itself, which reaches every machine. */
  readonly ownAddress: string;
  /** The whole of it, such as `198.18.7.0/24`. */
  readonly range: string;
  add(name: string, number: number): NetworkMachine;
}

export interface NetworkMachine {
  readonly address: string;
  /** What stands before a command to run it there. */
  readonly wayIn: readonly string[];
  /** Every process on this machine. */
  pids(): number[];
  /** Its cable is pulled: whatever is sent to it or by it is lost, and nobody is told. */
  cutOff(): void;
  /** Only what goes to these addresses and comes from them is lost. */
  cutOffFrom(addresses: readonly string[]): void;
  /** Undoes both. */
  connect(): void;
}

const OWN_NUMBER = 1;

export function openNamespaceNetwork(): NamespaceNetwork {
  const id = randomBytes(3).toString('hex');
  // Set aside for measurements (RFC 2544): no network of a machine that runs tests is there.
  const prefix = `198.18.${randomInt(256)}`;
  const hub = `lw-${id}-hub`;
  const made: string[] = [];
  using opened = new DisposableStack();
  opened.defer(() => {
    // With a namespace go its cables, and with the last of them the test's own end.
    for (const name of made.toReversed()) ip('netns', 'delete', name);
  });
  const make = (name: string): void => {
    ip('netns', 'add', name);
    made.push(name);
    inside(name, 'ip', 'link', 'set', 'lo', 'up');
  };
  make(hub);
  inside(hub, 'ip', 'link', 'add', 'switch', 'type', 'bridge');
  inside(hub, 'ip', 'link', 'set', 'switch', 'up');
  const plugIn = (port: string): void => {
    inside(hub, 'ip', 'link', 'set', port, 'master', 'switch');
    inside(hub, 'ip', 'link', 'set', port, 'up');
  };
  const own = `lw${id}`;
  ip('link', 'add', own, 'type', 'veth', 'peer', 'name', 'test', 'netns', hub);
  plugIn('test');
  ip('address', 'add', `${prefix}.${OWN_NUMBER}/24`, 'dev', own);
  ip('link', 'set', own, 'up');
  const kept = opened.move();
  return {
    ownAddress: `${prefix}.${OWN_NUMBER}`,
    range: `${prefix}.0/24`,
    add(name, number) {
      const namespace = `lw-${id}-${name}`;
      const address = `${prefix}.${number}`;
      make(namespace);
      ip('link', 'add', name, 'netns', hub, 'type', 'veth', 'peer', 'name', 'lan', 'netns', namespace);
      plugIn(name);
      inside(namespace, 'ip', 'address', 'add', `${address}/24`, 'dev', 'lan');
      inside(namespace, 'ip', 'link', 'set', 'lan', 'up');
      return machineOf(hub, name, namespace, address);
    },
    [Symbol.dispose]: () => kept.dispose(),
  };
}

const machineOf = (hub: string, port: string, namespace: string, address: string): NetworkMachine => ({
  address,
  wayIn: ['ip', 'netns', 'exec', namespace],
  pids: () => ip('netns', 'pids', namespace).split('\n').filter(Boolean).map(Number),
  cutOff: () => inside(hub, 'ip', 'link', 'set', port, 'down'),
  cutOffFrom(addresses) {
    for (const other of addresses) {
      inside(namespace, 'iptables', '-A', 'INPUT', '-s', other, '-j', 'DROP');
      inside(namespace, 'iptables', '-A', 'OUTPUT', '-d', other, '-j', 'DROP');
    }
  },
  connect() {
    inside(namespace, 'iptables', '-F');
    inside(hub, 'ip', 'link', 'set', port, 'up');
  },
});

const inside = (namespace: string, ...command: string[]): void => {
  ip('netns', 'exec', namespace, ...command);
};

const ip = (...args: string[]): string =>
  execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 30_000 });
