import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * A copy of the checkout, uncommitted changes included, in which files may be damaged. Installed packages and the data
 * beside the checkout are linked, not copied.
 */
export class CopyOfCheckout implements Disposable {
  readonly folder: string;
  readonly #home = mkdtempSync(join(tmpdir(), 'longwave-mutate-'));

  constructor(checkout: string) {
    this.folder = join(this.#home, 'checkout');
    const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: checkout,
      encoding: 'utf8',
      maxBuffer: 64 * 2 ** 20,
    });
    for (const file of listed.split('\0').filter(Boolean)) {
      const copy = join(this.folder, file);
      mkdirSync(dirname(copy), { recursive: true });
      copyFileSync(join(checkout, file), copy);
    }
    symlinkSync(join(checkout, 'node_modules'), join(this.folder, 'node_modules'));
    symlinkSync(join(checkout, '../shared'), join(this.#home, 'shared'));
  }

  [Symbol.dispose](): void {
    rmSync(this.#home, { recursive: true, force: true });
  }
}
