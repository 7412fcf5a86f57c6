import { ReadThrough } from '../cache/read-through.ts';
import { type PictureKind, type PictureSize, findPicture } from '../catalog/pictures.ts';
import type { Queryable } from '../db/pool.ts';
import { type ParsedGuideId, guideId, parseGuideId } from '../lib/guide-id.ts';
import type { LogoFile } from './draw.ts';
import { parseLogoPath } from './logo-name.ts';

/** A new picture is shown by all processes after so long. */
const FRESH_MS = 10 * 60_000;
const STALE_MS = 24 * 3_600_000;
/** That an item has none is kept too, and weighs as much as its key. */
const NONE_BYTES = 200;

/** The pictures that are asked for often, in memory up to so many bytes. */
export class KeptPictures {
  readonly #kept: ReadThrough<LogoFile | undefined>;

  constructor(db: Queryable, mostBytes: number) {
    this.#kept = new ReadThrough({
      load: (key) => load(db, key),
      most: Math.max(mostBytes, 1),
      weightOf: (file) => (file?.bytes.length ?? 0) + NONE_BYTES,
      freshMs: FRESH_MS,
      staleMs: STALE_MS,
    });
  }

  find(
    { letter, number }: ParsedGuideId,
    size: PictureSize,
    kind: PictureKind,
  ): Promise<LogoFile | undefined> {
    return this.#kept.get(`${guideId(letter, number)}${size}.${kind}`);
  }
}

/** By the name that its address has. */
async function load(db: Queryable, fileName: string): Promise<LogoFile | undefined> {
  const name = parseLogoPath(fileName);
  const id = name && parseGuideId(name.id);
  const found = id && (await findPicture(db, id, name.size, name.kind));
  return found && { bytes: found.bytes, etag: `"${found.digest}-${name.size}.${name.kind}"` };
}
