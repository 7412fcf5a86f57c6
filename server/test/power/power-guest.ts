import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { waitUntil } from '../../../scripts/services/service.ts';
import { withDeadline } from '../../src/lib/deadlines/deadline.ts';
import { type DiskOptions, ForgetfulDisk, type Forgotten } from './forgetful-disk.ts';
import type { GuestFiles } from './guest-files.ts';
import { GUEST_ADDRESS, PORT_INSIDE } from './guest-network.ts';
import { NbdServer } from './nbd-server.ts';

const DISK_MEGABYTES = 1024;
const MEMORY_MEGABYTES = 640;
/** Every instruction of the guest is translated, on a machine that may be busy. */
const BOOT_MS = 600_000;
const WRITES_MS = 300_000;

export interface GuestOptions extends DiskOptions {
  folder: string;
  files: GuestFiles;
  /** With PostgreSQL’s data in `postgres`; copied to the guest’s disk. */
  data: string;
  /** Where PostgreSQL is reached from here: a port of loopback. */
  url: string;
}

/** The guest switched itself off, which it does when PostgreSQL cannot go on from what is on the disk. */
export class DidNotComeBack extends Error {}

/** PostgreSQL on a machine of its own, whose power can be cut: an emulated one, with a disk that forgets. */
export class PowerGuest implements AsyncDisposable {
  readonly disk: ForgetfulDisk;
  readonly #server: NbdServer;
  readonly #options: GuestOptions;
  readonly #socket: string;
  #machine: ChildProcess | undefined;

  private constructor(disk: ForgetfulDisk, server: NbdServer, options: GuestOptions, socket: string) {
    this.disk = disk;
    this.#server = server;
    this.#options = options;
    this.#socket = socket;
  }

  static async make(options: GuestOptions): Promise<PowerGuest> {
    const image = join(options.folder, 'disk');
    writeFileSync(image, '');
    truncateSync(image, DISK_MEGABYTES * 2 ** 20);
    execFileSync('mkfs.ext4', ['-q', '-F', '-d', options.data, image]);
    const socket = join(options.folder, 'nbd');
    const disk = new ForgetfulDisk(image, options);
    return new PowerGuest(disk, await NbdServer.listen(disk, socket), options, socket);
  }

  /** Until PostgreSQL has recovered and answers. */
  async boot(): Promise<void> {
    const { folder, url } = this.#options;
    const console = join(folder, 'console');
    const output = openSync(console, 'w');
    // It ends with this process, however that ends.
    const machine = spawn('setpriv', ['--pdeathsig', 'KILL', 'nice', '-n', '2', ...this.#command()], {
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    this.#machine = machine;
    const said = (): string => readFileSync(console, 'utf8');
    await waitUntil(
      'PostgreSQL in the guest',
      async () => {
        if (machine.exitCode !== null) throw new DidNotComeBack(said());
        // Each try is a process in the guest, which has little time for it.
        await sleep(500);
        return answers(url);
      },
      BOOT_MS,
    );
    if (!said().includes('disk: write back'))
      throw new Error(`the guest does not know that its disk has a cache:\n${said()}`);
  }

  /**
   * What was in the guest's memory is gone, and of what the disk was not told to flush each sector by the given chance: now, or right
   * after so many writes to the disk.
   */
  async cutPower(hadArrived: () => boolean, writes = 0): Promise<Forgotten> {
    const machine = this.#machine;
    if (machine?.exitCode !== null) throw new Error('the guest does not run');
    const cut = (): Forgotten => {
      machine.kill('SIGKILL');
      this.#server.cutOff();
      return this.disk.cutPower(hadArrived);
    };
    const forgotten = await (writes === 0
      ? cut()
      : withDeadline(
          new Promise<Forgotten>((resolve) => this.disk.afterWrites(writes, () => resolve(cut()))),
          WRITES_MS,
          () => new Error('nothing was written to the disk, though presets were saved'),
        ));
    if (machine.signalCode === null) await once(machine, 'exit');
    return forgotten;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const machine = this.#machine;
    if (machine && machine.exitCode === null && machine.signalCode === null) {
      machine.kill('SIGKILL');
      await once(machine, 'exit');
    }
    await this.#server[Symbol.asyncDispose]();
    this.disk[Symbol.dispose]();
  }

  #command(): string[] {
    const { files, url } = this.#options;
    const forward = `hostfwd=tcp:127.0.0.1:${new URL(url).port}-${GUEST_ADDRESS}:${PORT_INSIDE}`;
    const emulated = `-accel tcg -cpu max -smp 1 -m ${MEMORY_MEGABYTES}`;
    const bare = '-nodefaults -no-user-config -no-reboot -display none -serial stdio';
    const network = `-netdev user,id=net,restrict=on,${forward} -device virtio-net-pci,netdev=net,romfile=`;
    const disk = `-blockdev driver=nbd,node-name=disk,server.type=unix,server.path=${this.#socket}`;
    const withCache = '-device virtio-blk-pci,drive=disk,write-cache=on';
    return [
      'qemu-system-x86_64',
      ...[emulated, bare, network, disk, withCache].flatMap((options) => options.split(' ')),
      '-kernel',
      files.kernel,
      '-initrd',
      files.root,
      '-append',
      'console=ttyS0 quiet panic=-1 mitigations=off',
    ];
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  // It says so when it is not ready yet, which is no more than another no.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
