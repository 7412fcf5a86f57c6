import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/** Beside the code, where only those can write who could change the code itself. */
const FOLDER = join(import.meta.dirname, '../../../node_modules/.cache/longwave');

/**
 * Node keeps what it compiled, which makes every command after the first one start in half the time. `NODE_COMPILE_CACHE`
 * names another folder; where nothing can be written, each start compiles again.
 */
export function keepCompiledCode(): void {
  enableCompileCache(FOLDER);
}
