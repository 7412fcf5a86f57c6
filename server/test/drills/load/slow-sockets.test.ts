/**
 * Thousands of connections that send a header a second and never finish their request, or never begin the handshake of HTTPS: nobody
 * else notices, and all are hung up on.
 * The long form: `SLOW_SOCKETS=10000 node scripts/test.ts server/test/drills/load/slow-sockets.test.ts`.
 */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Storm, StormReport } from '../../../bench/load/open-loop.ts';
import { HTTP_LIMITS } from '../../../src/net/http/limits.ts';
import { seededDatabase } from '../../database/database.ts';
import { startService } from '../../processes/service-process.ts';
import { writeCertificate } from '../../servers/certificates.ts';
import { TEST_WAIT_FACTOR } from '../../time/wait-factor.ts';

const HELD = Number(process.env['SLOW_SOCKETS'] ?? 2000);
const IS_STRICT = process.env['SLOW_SOCKETS'] !== undefined;
const GENERATOR = join(import.meta.dirname, '../../../bench/load/open-loop.ts');
const HOLDER = join(import.meta.dirname, 'hold-sockets.ts');
const GONE_WITHIN_SECONDS =
  ((HTTP_LIMITS.headersTimeoutMs + 2 * HTTP_LIMITS.connectionsCheckingIntervalMs) / 1000) * TEST_WAIT_FACTOR +
  6;
/** How they are held, and what one may cost the service. */
const KINDS = [
  { what: 'never finish their request', how: 'dripping', kilobytesEach: 20 },
  { what: 'never begin their handshake', how: 'silent', kilobytesEach: 100 },
] as const;
const run = promisify(execFile);

const kilobytesOf = (pid: number | undefined): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

/** Who calls meanwhile. */
const OTHERS: Storm = {
  phases: [{ name: 'meanwhile', seconds: 12, perSecond: 100 }],
  calls: [{ kind: 'menu', share: 1, paths: ['/Browse.ashx?c=music&partnerId=demo'] }],
};

for (const { what, how, kilobytesEach } of KINDS)
  test(`${HELD} connections that ${what} are hung up on, and nobody else notices`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'longwave-slow-sockets-'));
    t.after(() => rmSync(folder, { recursive: true }));
    await using database = await seededDatabase();
    await using service = await startService(database.url, {
      PARTNERS: 'any',
      MAX_CONNECTIONS: `${HELD + 2000}`,
      ...(how === 'silent' ? { HTTPS_PORT: '0', ...writeCertificate(folder) } : {}),
    });
    const { port } = new URL(service.origin);
    const ask = async (): Promise<StormReport> => {
      const { stdout } = await run(process.execPath, [GENERATOR, port, JSON.stringify(OTHERS)]);
      return JSON.parse(stdout);
    };
    const before = kilobytesOf(service.process.pid);
    const args = [HOLDER, `${service.httpsPort ?? port}`, `${HELD}`, how];
    const holder = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const said = createInterface({ input: holder.stdout })[Symbol.asyncIterator]();
    assert.equal((await said.next()).value, `held ${HELD}`);
    const each = (kilobytesOf(service.process.pid) - before) / HELD;
    const [others] = await ask();
    const gone = Number(/^gone ([\d.]+)$/.exec((await said.next()).value ?? '')?.[1]);
    assert.ok(others);
    console.log(
      `${others.served} of ${others.sent} others served, ${others.p50.toFixed(1)} and ${others.p99.toFixed(1)} ms; ${each.toFixed(1)} KB a connection; all gone after ${gone} s`,
    );
    assert.deepEqual([others.served, others.failed], [others.sent, 0]);
    assert.ok(gone < GONE_WITHIN_SECONDS, `${gone} s`);
    assert.ok(each < kilobytesEach, `${each} KB`);
    if (IS_STRICT)
      assert.ok(others.servedInTime / others.sent >= 0.999, `${others.servedInTime} of ${others.sent}`);
  });
