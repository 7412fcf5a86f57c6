import { existsSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { CHECKOUT, type Arch } from '../tree/checkout.ts';
import { type Containers, run } from './containers.ts';

/** As Debian and container registries call the processors. */
const DEBIAN_ARCH = { x64: 'amd64', arm64: 'arm64' } as const;
/** What `debian:12-slim` leaves out too. */
const LEFT_OUT = ['/usr/share/doc/*', '/usr/share/man/*', '/usr/share/locale/*', '/usr/share/info/*'];
const CA_BUNDLE = '/etc/ssl/certs/ca-certificates.crt';

/** The name of the image; its storage is the build's own. */
export const IMAGE = 'localhost/longwave:built';

/** Builds the image from the checkout, on a Debian 12 made of Debian's packages: no registry of images is asked. */
export function buildImage(containers: Containers, arch: Arch): void {
  const own: Arch = process.arch === 'arm64' ? 'arm64' : 'x64';
  for (const each of new Set([own, arch])) importBase(containers, each);
  const { version } = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8'));
  const given: Record<string, string> = {
    BASE: baseName(arch),
    BUILD_BASE: baseName(own),
    TARGETARCH: DEBIAN_ARCH[arch],
    // Docker knows it; Debian's buildah would look for a build stage of the other processor.
    BUILDPLATFORM: `linux/${DEBIAN_ARCH[own]}`,
    VERSION: version,
    REVISION: run('git', ['-C', CHECKOUT, 'rev-parse', 'HEAD']).stdout.trim() || 'unknown',
  };
  containers.buildah(
    'build',
    // OCI's own format knows no health check.
    '--format=docker',
    '--isolation=chroot',
    `--platform=linux/${DEBIAN_ARCH[arch]}`,
    ...Object.entries(given).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]),
    // Mounted while npm is asked and in no layer: a proxy of this machine may sign with an authority of its own.
    ...(existsSync(CA_BUNDLE) ? ['--secret', `id=ca,src=${CA_BUNDLE}`] : []),
    `--tag=${IMAGE}`,
    CHECKOUT,
  );
}

/** A Debian 12 in the storage of a build. */
export const baseName = (arch: Arch): string => `localhost/debian:12-${DEBIAN_ARCH[arch]}`;

function importBase(containers: Containers, arch: Arch): void {
  containers.podman('import', '--quiet', '--arch', DEBIAN_ARCH[arch], baseTar(arch), baseName(arch));
}

/** Made once a machine, which takes two minutes; kept beside Node (scripts/install-node.sh). */
function baseTar(arch: Arch): string {
  const folder = join(homedir(), '.cache/longwave/base');
  const tar = join(folder, `debian-12-${DEBIAN_ARCH[arch]}.tar`);
  if (existsSync(tar)) return tar;
  mkdirSync(folder, { recursive: true });
  if (run('arch-test', [DEBIAN_ARCH[arch]]).status !== 0) throw new Error(cannotRun(arch));
  const draft = join(folder, `.${process.pid}.tar`);
  const { status, stderr } = run('mmdebstrap', [
    '--variant=minbase',
    '--include=ca-certificates',
    `--architectures=${DEBIAN_ARCH[arch]}`,
    ...LEFT_OUT.map((path) => `--dpkgopt=path-exclude=${path}`),
    '--dpkgopt=path-include=/usr/share/doc/*/copyright',
    'bookworm',
    draft,
  ]);
  if (status !== 0) throw new Error(`mmdebstrap could not make a Debian 12 for ${arch}:\n${stderr}`);
  renameSync(draft, tar);
  return tar;
}

/** Its packages are set up by programs of their own processor, which the kernel has to be told how to run. */
const cannotRun = (arch: Arch): string =>
  `this machine cannot run programs for ${arch}; with qemu-user-static installed: ` +
  'mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc; ' +
  `update-binfmts --enable qemu-${arch === 'arm64' ? 'aarch64' : 'x86_64'}`;

/** What a registry would hold and a machine would fetch. */
export function packedBytes(containers: Containers): number {
  const file = join(containers.folder('packed'), 'image.tar');
  containers.buildah('push', '--quiet', IMAGE, `oci-archive:${file}`);
  return statSync(file).size;
}
