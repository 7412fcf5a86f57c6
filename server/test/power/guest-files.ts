import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { GUEST_ADDRESS, GUEST_GATEWAY, PORT_INSIDE } from './guest-network.ts';

/** What a guest boots from. */
export interface GuestFiles {
  kernel: string;
  /** Its root file system, which is unpacked into its memory: the PostgreSQL of this machine, and a shell. */
  root: string;
}

const KERNEL = 'linux-image-cloud-amd64';
const PACKAGES = ['qemu-system-x86', 'busybox-static', 'e2fsprogs', 'cpio'];
const PROGRAMS = ['qemu-system-x86_64', 'busybox', 'mkfs.ext4', 'cpio'];
/** In the order in which they need each other. */
const MODULES = [
  'drivers/virtio/virtio_ring',
  'drivers/virtio/virtio',
  'drivers/virtio/virtio_pci_legacy_dev',
  'drivers/virtio/virtio_pci_modern_dev',
  'drivers/virtio/virtio_pci',
  'drivers/block/virtio_blk',
  'net/core/failover',
  'drivers/net/net_failover',
  'drivers/net/virtio_net',
];
const POSTGRES = '/usr/lib/postgresql/15';
const WHOLE = ['/usr/share/postgresql/15', '/usr/share/zoneinfo', '/usr/lib/locale/C.utf8'];

/** Says with which packages a power cut can be tried, where they are not there. */
export function checkPrograms(): void {
  if (process.arch === 'x64' && PROGRAMS.every(isInstalled)) return;
  throw new Error(
    `a power cut needs an x86-64 Debian with more than the other tests: apt-get install --no-install-recommends ${PACKAGES.join(' ')}`,
  );
}

const isInstalled = (program: string): boolean =>
  ['/usr/bin', '/usr/sbin', '/bin', '/sbin'].some((folder) => existsSync(join(folder, program)));

/** Makes the root file system in the folder, for PostgreSQL to run as this account. */
export function makeGuestFiles(folder: string, account: { uid: number; gid: number }): GuestFiles {
  const kernel = ensureKernel();
  const stage = join(folder, 'root');
  for (const empty of ['bin', 'proc', 'sys', 'dev', 'data', 'tmp', 'modules', 'etc'])
    mkdirSync(join(stage, empty), { recursive: true });
  const busybox = execFileSync('sh', ['-c', 'command -v busybox'], { encoding: 'utf8' }).trim();
  cpSync(busybox, join(stage, 'bin/busybox'), { dereference: true });
  for (const module of MODULES)
    cpSync(join(kernel.modules, `${module}.ko`), join(stage, 'modules', `${basename(module)}.ko`));
  const programs = [`${POSTGRES}/bin/postgres`, ...globSync(`${POSTGRES}/lib/*.so`)].filter(
    (path) => !path.includes('llvmjit'),
  );
  for (const path of [...programs, ...librariesOf(programs), ...WHOLE])
    cpSync(path, join(stage, path), { recursive: true, dereference: true });
  writeFileSync(join(stage, 'etc/passwd'), `postgres:x:${account.uid}:${account.gid}::/:/bin/sh\n`);
  writeFileSync(join(stage, 'etc/group'), `postgres:x:${account.gid}:\n`);
  writeFileSync(join(stage, 'init'), FIRST_PROGRAM);
  chmodSync(join(stage, 'init'), 0o755);
  const root = join(folder, 'root.cpio');
  execFileSync('sh', ['-c', 'find . | cpio --create --format=newc --quiet > "$0"', root], { cwd: stage });
  rmSync(stage, { recursive: true });
  return { kernel: kernel.image, root };
}

function librariesOf(programs: readonly string[]): string[] {
  const output = execFileSync('ldd', programs, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return [...new Set(Array.from(output.matchAll(/(\/\S+) \(0x/g), ([, path = '']) => path))];
}

/** What the kernel starts. When PostgreSQL ends, for whatever reason, the machine is switched off. */
const FIRST_PROGRAM = `#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin LANG=C.UTF-8
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mkdir /dev/shm
mount -t tmpfs -o mode=1777 shm /dev/shm
chmod 1777 /tmp
${MODULES.map((module) => `insmod /modules/${basename(module)}.ko`).join('\n')}
ip link set lo up
ip addr add ${GUEST_ADDRESS}/24 dev eth0
ip link set eth0 up
ip route add default via ${GUEST_GATEWAY}
echo "disk: $(cat /sys/block/vda/queue/write_cache)"
mount -t ext4 /dev/vda /data || poweroff -f
# Nobody runs from before a cut, and its number may be another's now.
rm -f /data/postgres/postmaster.pid
start-stop-daemon -S -c postgres:postgres -x ${POSTGRES}/bin/postgres -- -D /data/postgres -p ${PORT_INSIDE} -h 0.0.0.0
echo "PostgreSQL ended with $?"
umount /data
poweroff -f
`;

/** Debian's, unpacked and not installed; the one that was fetched last, or else the newest. */
function ensureKernel(): { image: string; modules: string } {
  const kept = join(homedir(), '.cache/longwave/kernel');
  if (!existsSync(kept)) {
    mkdirSync(dirname(kept), { recursive: true });
    const fresh = mkdtempSync(`${kept}.new-`);
    const fetch = `name=$(apt-cache depends ${KERNEL} | sed -n 's/^ *Depends: \\(linux-image-[0-9].*\\)$/\\1/p') && apt-get -qq download "$name" && dpkg-deb -x linux-image-*.deb . && rm linux-image-*.deb`;
    try {
      execFileSync('sh', ['-c', fetch], {
        cwd: fresh,
        stdio: ['ignore', 'ignore', 'pipe'],
        timeout: 300_000,
      });
    } catch (error) {
      rmSync(fresh, { recursive: true });
      throw new Error(`Debian's ${KERNEL} could not be fetched; apt-get update may help`, { cause: error });
    }
    renameSync(fresh, kept);
  }
  const [image] = globSync(join(kept, 'boot/vmlinuz-*'));
  const [modules] = globSync(join(kept, '{,usr/}lib/modules/*/kernel'));
  if (!image || !modules) throw new Error(`there is no kernel in ${kept}; remove it and it is fetched again`);
  return { image, modules };
}
