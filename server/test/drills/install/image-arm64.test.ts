import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildImage, IMAGE, packedBytes } from '../../../../scripts/package/image/build-image.ts';
import { Containers } from '../../../../scripts/package/image/containers.ts';
import { waitUntil } from '../../../../scripts/services/service.ts';
import { seededDatabase } from '../../database/database.ts';
import { CONFINED, imageSettings } from './image-settings.ts';

const MAX_PACKED_BYTES = 130e6;
const [START_MS, MAX_MS] = [900_000, 3_600_000];

/** Needs an emulator, and many minutes: `IMAGE_ARM64=1`. */
if (process.env['IMAGE_ARM64'] === '1') {
  test('the image for 64-bit ARM runs, and serves a menu', { timeout: MAX_MS }, async (t) => {
    using containers = new Containers();
    const started = performance.now();
    const tell = (what: string): void =>
      t.diagnostic(`${what} after ${Math.round((performance.now() - started) / 1000)} s`);
    buildImage(containers, 'arm64');
    const bytes = packedBytes(containers);
    tell(`built, ${(bytes / 1e6).toFixed(1)} MB packed,`);
    assert.ok(bytes < MAX_PACKED_BYTES, `${bytes} bytes`);

    // An emulated process has the memory of its emulator besides its own.
    const confined = ['--platform=linux/arm64', ...CONFINED.filter((each) => !each.startsWith('--memory'))];
    const run = (...command: string[]): string => containers.podman('run', '--rm', ...confined, ...command);
    assert.equal(run('--entrypoint', 'uname', IMAGE, '-m'), 'aarch64');
    assert.match(run(IMAGE, '--version'), /^longwave \d+\.\d+\.\d+/);
    const help = containers.tryPodman('run', '--rm', ...confined, IMAGE, '--help');
    assert.deepEqual([help.status, help.stdout.split('\n', 1)[0]], [0, 'usage:']);
    tell('the version and the usage were told');

    await using database = await seededDatabase();
    const { options, origin } = await imageSettings(containers, database.url);
    // The emulator is slower than any ARM that would be used.
    const given = [...confined, ...options, '--env', 'DATABASE_WAIT_FACTOR=20'];
    containers.podman('run', '--detach', '--name', 'serve', ...given, IMAGE);
    const menu = (): Promise<string> =>
      fetch(`${origin}/Browse.ashx?c=lang&partnerId=image`).then(
        (response) => response.text(),
        () => '',
      );
    await waitUntil('the emulated server', async () => (await menu()) !== '', START_MS).catch(
      (error: unknown) => {
        throw new Error(`${String(error)}: ${containers.tryPodman('logs', 'serve').stdout}`);
      },
    );
    assert.match(await menu(), /<outline type="link" text="[^"]+" URL="http:\/\/127\.0\.0\.1/);
    tell('a menu was served');
    containers.podman('stop', '--time', '120', 'serve');
    assert.match(containers.podman('logs', 'serve'), /"msg":"stopped"/);
  });
}
