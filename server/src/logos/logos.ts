import type { PictureKind } from '../catalog/pictures.ts';
import type { Action, BytesAnswer, Endpoint } from '../http/endpoint.ts';
import { Fault } from '../lib/fault.ts';
import { type LogoFile, drawPlaceholder } from './draw.ts';
import { initialsOf } from './initials.ts';
import { type ItemNeeds, LogoItems } from './items.ts';
import { KeptPictures } from './kept-pictures.ts';
import { parseLogoPath } from './logo-name.ts';

export interface LogosNeeds extends ItemNeeds {
  /** For the pictures that are asked for often. */
  logoCacheBytes?: number | undefined;
}

const DEFAULT_CACHE_BYTES = 32 * 2 ** 20;
const TYPES: Readonly<Record<PictureKind, string>> = { png: 'image/png', jpg: 'image/jpeg' };
const [MINUTE, HOUR, DAY] = [60, 3600, 86_400];
/** Logos change once in years, and who has one asks by its tag. What stands in for one may be replaced any moment. */
const LIFETIMES = { picture: 7 * DAY, none: DAY, notYet: HOUR, away: MINUTE };

/**
 * The square logo of every item: its picture where there is one, else its initials, else the mark of the service. Never
 * an error when the database is away: in place of a picture that is not there some radios show nothing of the item.
 */
export function logos({ logoCacheBytes = DEFAULT_CACHE_BYTES, ...needs }: LogosNeeds): Endpoint {
  const items = new LogoItems(needs);
  const pictures = new KeptPictures(needs.db, logoCacheBytes);
  const logo: Action = async ({ askedPath }) => {
    const { id, size, kind } = parseLogoPath(askedPath) ?? notALogo();
    const standIn = async (name: string, seconds: number): Promise<BytesAnswer> =>
      answerOf(await drawPlaceholder(id, initialsOf(name), size, kind), kind, seconds);
    try {
      const item = await items.find(id);
      if (item?.hasImage !== true) return await standIn(item?.name ?? '', LIFETIMES.none);
      const picture = await pictures.find(item.id, size, kind);
      if (picture) return answerOf(picture, kind, LIFETIMES.picture);
      return await standIn(item.name, LIFETIMES.notYet);
    } catch (error) {
      if (!(error instanceof Fault) || error.status !== 503) throw error;
      return standIn(items.nameAtHand(id), LIFETIMES.away);
    }
  };
  return {
    paths: ['/logos/:file'],
    isForAnyone: true,
    actions: new Map([['', logo]]),
    fallback: () => logo,
  };
}

const answerOf = ({ bytes, etag }: LogoFile, kind: PictureKind, maxAgeSeconds: number): BytesAnswer => ({
  bytes,
  etag,
  contentType: TYPES[kind],
  maxAgeSeconds,
  isForAll: true,
});

function notALogo(): never {
  throw new Fault(
    404,
    'api.methodNotFound',
    'No such picture: ask for an id, a size and .png or .jpg, such as s123q.png',
  );
}
