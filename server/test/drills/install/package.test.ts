import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { bootDebian, type DebianMachine } from '../../servers/debian-machine.ts';
import {
  type HomeNetwork,
  openHomeNetwork,
  ROUTER,
  STATION,
  STATION_SOURCES,
} from './five-minutes/home-network.ts';
import { hearStation } from './five-minutes/radio.ts';
import { readmeCommands, Stopwatch, WAYS } from './five-minutes/readme.ts';

const checkout = join(import.meta.dirname, '../../../..');
const shared = mkdtempSync(join(tmpdir(), 'longwave-package-'));
const run = promisify(execFile);

/** The package on a machine where nothing was done by hand; each test goes on where the one before ended. */
let debian: DebianMachine;
let home: HomeNetwork;
let file: string;
const stopwatch = new Stopwatch();
/** The first ones are for a clone; those as root are for the machine. */
const commands = readmeCommands(WAYS.debian);
const packing = commands.filter((command) => !command.startsWith('sudo '));
const [install = '', ...rest] = commands.slice(packing.length);
/** Of lintian, which takes a minute beside the rest. */
let complaints: Promise<string>;

before(async () => {
  // apt reads the package as a user of its own.
  chmodSync(shared, 0o755);
  debian = await bootDebian(shared);
  home = await openHomeNetwork();
  await home.connect(debian.pid);
  await good(`echo nameserver ${ROUTER} > /etc/resolv.conf`);
  await stopwatch.time(packing.join('; '), () => build(packing));
});

after(async () => {
  await debian?.[Symbol.asyncDispose]();
  await home?.[Symbol.asyncDispose]();
  rmSync(shared, { recursive: true, force: true });
});

const deb = (): string => `/mnt/dist/${file.split('/').at(-1)}`;

async function good(command: string): Promise<string> {
  const { status, output } = await debian.execute(command);
  assert.equal(status, 0, `${command}\n${output}`);
  return output.trim();
}

/** As docs/install.md says: what the README has a reader type in a clone is typed in this one, packed in less time. */
async function build(lines: readonly string[]): Promise<void> {
  const script = lines.join('\n').replace('--out dist', `--fast --out ${join(shared, 'dist')}`);
  const built = await run('bash', ['-ec', script], { cwd: checkout });
  file = /\S+\.deb/u.exec(built.stdout)?.[0] ?? '';
  complaints = run('lintian', ['--allow-root', '--fail-on', 'none', file]).then(({ stdout }) =>
    stdout.replaceAll(/^N:.*\n/gmu, ''),
  );
  // It is awaited last; a failure until then is not forgotten.
  complaints.catch(() => undefined);
}

/** Where the clone is, with Enter for an answer to every question. */
const type = (command: string): Promise<string> => good(`cd /mnt && yes '' | ${command}`);

test('the README leads from a fresh Debian to the sound of a station in five minutes', async (t) => {
  const said = await stopwatch.time(install, () => type(install));
  assert.match(said, /created the database longwave/);
  assert.match(said, /next, fill the directory: sudo longwave setup/);
  await good(`echo ${STATION_SOURCES} >> /etc/longwave/longwave.env`);
  for (const command of rest) await stopwatch.time(command, () => type(command));
  await stopwatch.time('a radio finds the station, and plays it', () => hearStation(home));
  const used = await good('apt-cache show --no-all-versions longwave | sed -n "s/^Installed-Size: //p"');
  const megabytes = `${megabytesOf(statSync(file).size)} MB of package, ${megabytesOf(Number(used) * 1024)} MB installed`;
  t.diagnostic(stopwatch.write(WAYS.debian, megabytes));
  assert.match(await good('sudo longwave radios'), /mopidy/i);
});

const megabytesOf = (bytes: number): string => (bytes / 1e6).toFixed(0);

test('it has made a database, a key and closed settings', async () => {
  assert.equal(await good('stat -c "%A %U:%G" /etc/longwave/longwave.env'), '-rw-r----- root:longwave');
  assert.equal(await good('stat -c "%A %U:%G" /etc/longwave/member-key.env'), '-rw-r----- root:longwave');
  assert.match(await good('cat /etc/longwave/member-key.env'), /^MEMBER_KEY=[\w-]{43}$/);
  assert.equal(await good('longwave migrate'), 'the schema is up to date');
  assert.equal(await good('dpkg --verify longwave | grep -v " c /etc/longwave/longwave.env$" || true'), '');
  const { status, output: refusal } = await debian.execute('runuser -u nobody -- longwave config');
  assert.equal(status, 1);
  assert.match(refusal, /try: sudo longwave config/);
});

test('systemd understands its units, and finds little that they expose', async () => {
  const root = join(shared, 'units');
  const needed = './lib/systemd ./usr/lib/longwave/bin';
  await run('sh', ['-c', `mkdir ${root} && dpkg-deb --fsys-tarfile ${file} | tar -x -C ${root} ${needed}`]);
  // What units stand on without saying so.
  await run('sh', ['-c', `cp -n /lib/systemd/system/*.target ${root}/lib/systemd/system/`]);
  await run('install', ['-D', '/bin/sh', join(root, 'bin/sh')]);
  const kinds = ['', '-worker', '-dns', '-relay', '-upnp'];
  const units = kinds.map((kind) => `longwave${kind}.service`);
  await run('systemd-analyze', [`--root=${root}`, '--man=no', 'verify', ...units]);
  for (const unit of units) {
    const { stdout } = await run('systemd-analyze', [`--root=${root}`, '--offline=true', 'security', unit]);
    const exposure = Number(/exposure level for \S+ (?<level>[\d.]+)/u.exec(stdout)?.groups?.['level']);
    assert.ok(exposure > 0 && exposure < 2, `${unit}: ${exposure}`);
  }
});

test('its services run confined, and answer a radio on port 80', async () => {
  const menu = await until(() => good('curl -sS --fail http://127.0.0.1/Browse.ashx?partnerId=demo'));
  assert.match(menu, /<status>200<\/status>[^]*key="local"/);
  assert.match(await good('curl -sS --fail http://127.0.0.1/listen/'), /<!doctype html>/i);
  await until(() => good('curl -sS --fail http://127.0.0.1:8701/readyz http://127.0.0.1:8702/readyz'));
  for (const unit of ['longwave', 'longwave-worker', 'longwave-dns']) {
    const status = await good(`cat /proc/$(systemctl show -p MainPID --value ${unit})/status`);
    assert.match(status, /NoNewPrivs:\t1\nSeccomp:\t2/, unit);
    assert.equal(await good(`stat -c %U /proc/$(systemctl show -p MainPID --value ${unit})`), 'longwave');
    assert.equal(await good(`systemctl show -p NRestarts --value ${unit}`), '0');
  }
});

/** With the system as the worker sees it. */
const asWorker = (command: string): string =>
  `nsenter --target $(systemctl show -p MainPID --value longwave-worker) --mount -- ${command}`;

test('its worker writes backups to the folder of the package, says why it cannot elsewhere, and can prove them', async () => {
  assert.equal(await good('stat -c "%A %U:%G" /var/backups/longwave'), 'drwxr-x--- longwave:longwave');
  await good(asWorker('longwave backup /var/backups/longwave'));
  await good('install -d -m 0750 -o longwave /srv/longwave');
  const { status, output } = await debian.execute(asWorker('longwave backup /srv/longwave'));
  assert.equal(status, 1);
  assert.match(
    output,
    /backups cannot be written to \/srv\/longwave: \/srv\/longwave is read-only for this process/,
  );
  await good('longwave backup /srv/longwave && rm -r /srv/longwave');
  await good('longwave verify /var/backups/longwave/longwave-*.dump');
});

test('the relay is enabled by hand, runs confined, and is renewed by a reload', async () => {
  await good('echo RELAY=home >> /etc/longwave/longwave.env && systemctl enable --now longwave-relay');
  const ready = () => good('curl -sS --fail http://127.0.0.1:8704/r/ready');
  assert.equal(await until(ready), 'ready');
  const mainProcess = () => good('systemctl show -p MainPID --value longwave-relay');
  const first = await mainProcess();
  const status = await good(`cat /proc/${first}/status`);
  assert.match(status, /NoNewPrivs:\t1\nSeccomp:\t2/);
  await good('systemctl reload longwave-relay || (journalctl -n 20 -u longwave-relay; false)');
  await until(() => good('journalctl -u longwave-relay | grep "another process has taken over"'));
  assert.equal(await until(ready), 'ready');
  assert.equal(await mainProcess(), first);
});

test('the media server is enabled by hand, runs confined, and answers at the address it is asked for by', async () => {
  await good('echo UPNP=on >> /etc/longwave/longwave.env && systemctl enable --now longwave-upnp');
  const ask = () => good('curl -sS --fail http://127.0.0.1:8706/description.xml');
  assert.match(await until(ask), /<friendlyName>Longwave</);
  const status = await good('cat /proc/$(systemctl show -p MainPID --value longwave-upnp)/status');
  assert.match(status, /NoNewPrivs:\t1\nSeccomp:\t2/);
});

test('passwords can be checked under its filter of system calls', async () => {
  await good('echo LEGACY_CREDENTIALS=allow >> /etc/longwave/longwave.env && systemctl restart longwave');
  await until(() => good('curl -sS --fail http://127.0.0.1:8701/readyz'));
  // An unknown name costs as much hashing as a wrong password, and is refused alike.
  const form = '-d username=nobody -d password=wrong-one';
  const answer = await good(`curl -sS ${form} "http://127.0.0.1/Account.ashx?c=auth&partnerId=demo"`);
  assert.match(answer, /<status>401<\/status>/);
});

test('the doctor finds PostgreSQL, Redis and the server, and hears the station', async () => {
  const { output } = await debian.execute('longwave doctor');
  assert.match(output, /✓ server +\S+ answers/);
  assert.match(output, /PostgreSQL\n {2}✓ answers +15\.\d+ at \/var\/run\/postgresql\/longwave\n/);
  assert.match(output, /Redis\n {2}✓ answers +7/);
  assert.match(output, /✓ key +MEMBER_KEY is set and belongs to this database/);
  assert.match(output, new RegExp(`✓ sound +you would hear ${STATION}`));
});

test('an upgrade keeps the key and the edited settings', async () => {
  const key = await good('cat /etc/longwave/member-key.env');
  await good('echo HOME_PLACE=51.9, -8.47 >> /etc/longwave/longwave.env');
  await good(`dpkg -i ${deb()}`);
  assert.equal(await good('cat /etc/longwave/member-key.env'), key);
  assert.match(await good('longwave config'), /HOME_PLACE +51\.9, -8\.47/);
  await until(() => good('curl -sS --fail http://127.0.0.1/Browse.ashx'));
  assert.equal(await good('systemctl is-active longwave-dns'), 'active', 'what was enabled runs again');
  assert.equal(await good('stat -c "%A %U:%G" /etc/longwave/longwave.env'), '-rw-r----- root:longwave');
});

test('removing keeps settings and key; purging keeps the database and its backups alone', async () => {
  await good('apt-get remove -y longwave');
  assert.match(await good('cat /etc/longwave/member-key.env'), /^MEMBER_KEY/);
  assert.equal((await debian.execute('ls /usr/lib/longwave')).status, 2);
  assert.equal((await debian.execute('curl -sS http://127.0.0.1/')).status, 7, 'nobody answers any more');
  assert.match(await good('apt-get purge -y longwave'), /the database is kept; to drop it: /);
  const left =
    'find / -xdev -iname "*longwave*" -not -path "/proc/*" -not -path "/mnt/*" -not -path "/dev/*" -not -path "/var/backups/longwave/*"';
  assert.equal(await good(left), '/var/backups/longwave');
  assert.match(await good('ls /var/backups/longwave'), /^longwave-\S+\.dump$/m);
  assert.equal((await debian.execute('id longwave')).status, 1);
  assert.equal(
    await good(
      `runuser -u postgres -- psql -Atc "SELECT count(*) FROM pg_database WHERE datname = 'longwave'"`,
    ),
    '1',
  );
});

test('lintian finds nothing', async () => {
  assert.equal(await complaints, '');
});

/** Starting takes seconds, on a busy machine many. */
async function until<T>(attempt: () => Promise<T>): Promise<T> {
  for (const deadline = Date.now() + 120_000; ;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(500);
    }
  }
}
