import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const WORTH_IT = /\.(?:js|css|svg|json|webmanifest)$/;
const MIN_BYTES = 1024;

/** Each file of text also as `.br` and `.gz`, packed as small as can be, so that the server never packs one itself. */
export function compressAll(folder: string): void {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((each) => WORTH_IT.test(each))) pack(join(folder, name));
}

function pack(file: string): void {
  const bytes = readFileSync(file);
  if (bytes.length < MIN_BYTES) return;
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
}
