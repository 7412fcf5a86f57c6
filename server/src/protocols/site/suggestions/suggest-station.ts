import { addressKey, cleanAddress } from '../../../core/cleaning/clean-address.ts';
import { cleanHomepage } from '../../../core/cleaning/clean-homepage.ts';
import { cleanName } from '../../../core/cleaning/clean-name.ts';
import { findStation } from '../../../core/directory/lookup/lookups.ts';
import { idsOfAddress } from '../../../core/search/queries.ts';
import type { Clock } from '../../../lib/clock.ts';
import { Refusal } from '../../../lib/fault.ts';
import { guideId, numberOf } from '../../../lib/guide-id.ts';
import { networkOf } from '../../../lib/network-of.ts';
import { type BucketLimits, TokenBuckets } from '../../../lib/token-buckets.ts';
import { UnsafeAddress } from '../../../net/fetch/fetch-failed.ts';
import { checkAddress } from '../../../net/fetch/policy.ts';
import { findPlace } from '../../../storage/catalog/places/places.ts';
import {
  addSuggestion,
  findSuggestion,
  type Suggestion,
} from '../../../storage/catalog/streams/suggestions.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import { type SiteAnswer, type SiteCall, SiteFault } from '../session/site-endpoint.ts';
import type { SiteApiContext } from '../api/deps.ts';
import { Fields, invalid } from '../api/fields.ts';

const [MAX_NAME_LENGTH, MAX_ADDRESS_LENGTH, MAX_HOMEPAGE_LENGTH, MAX_CITY_LENGTH] = [120, 2048, 500, 200];

/** A station that a listener misses: listed already, or listened to within minutes by a worker. */
export async function suggestStation(call: SiteCall, context: SiteApiContext): Promise<SiteAnswer> {
  const suggestion = await readSuggestion(new Fields(call.body), context.db);
  context.admitSuggestion(call.caller.address);
  const station = await stationAt(context, suggestion.addressKey);
  if (station) return { json: { state: 'listed', station } };
  const added = await addSuggestion(context.db, suggestion);
  if (!added)
    throw new SiteFault(
      429,
      'site.suggestionsFull',
      'As many suggestions are waiting as there is room for; try again tomorrow',
    );
  return { status: 201, json: { id: suggestion.addressKey, ...viewOf(added) } };
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** What became of a suggestion; who asks knows its stream. */
export async function showSuggestion(call: SiteCall, context: SiteApiContext): Promise<SiteAnswer> {
  const { id = '' } = call.path;
  const found = UUID.test(id) ? await findSuggestion(context.db, id) : undefined;
  const station = found?.state === 'listed' ? await stationAt(context, id) : undefined;
  if (!found)
    throw new SiteFault(404, 'site.notFound', 'There is no such suggestion; they are kept for 30 days');
  return { json: { ...viewOf(found), ...(station && { station }) } };
}

/** Until the directory has what was accepted, it is not there yet. */
const viewOf = ({ state, problem }: { state: string; problem: string | null }): object => ({
  state,
  ...(state === 'silent' && { why: problem }),
});

/** The listed station that has this stream. */
async function stationAt({ db, directory }: SiteApiContext, key: string): Promise<object | undefined> {
  const snapshot = directory.current();
  const ids = await idsOfAddress(db, key);
  const station = ids.map((id) => findStation(snapshot, id)).find((one) => one !== undefined);
  return station && { id: guideId('s', station.id), name: station.name };
}

async function readSuggestion(fields: Fields, db: Queryable): Promise<Suggestion> {
  const name = cleanName(fields.required('name', MAX_NAME_LENGTH));
  if (name === undefined) throw invalid('name', 'This is not a name of a station');
  const found = cleanAddress(fields.required('address', MAX_ADDRESS_LENGTH));
  const refused = 'refused' in found ? found.refused : reasonAgainst(found.address);
  if ('refused' in found || refused !== undefined)
    throw invalid('address', `The address cannot be listened to: ${refused}`);
  const homepage = cleanHomepage(fields.text('homepage', MAX_HOMEPAGE_LENGTH) ?? '');
  return {
    name,
    address: found.address,
    addressKey: addressKey(found.key),
    homepage: homepage !== undefined && homepage.length <= MAX_HOMEPAGE_LENGTH ? homepage : undefined,
    ...(await readPlace(fields, db)),
  };
}

async function readPlace(fields: Fields, db: Queryable): Promise<Pick<Suggestion, 'city' | 'countryCode'>> {
  const text = fields.text('place') ?? '';
  if (text === '') return { city: undefined, countryCode: undefined };
  const id = numberOf('r', text);
  const place = id === undefined ? undefined : await findPlace(db, id);
  if (!place) throw invalid('place', 'Unknown place; use an id from places?text=');
  return { city: place.name.slice(0, MAX_CITY_LENGTH), countryCode: place.country_code };
}

/** By the rules under which it will be listened to; the addresses of its name are checked then, at every connection. */
function reasonAgainst(address: string): string | undefined {
  try {
    const isName = /^[^.]+(?:\.[^.]+)*$/.test(checkAddress(address).host);
    return isName ? undefined : 'the name of the host is malformed';
  } catch (error) {
    if (error instanceof UnsafeAddress) return error.message;
    throw error;
  }
}

/** Of one house or office. */
const OF_NETWORK: BucketLimits = { perSecond: 10 / 3600, burst: 10 };
/** Of all together, by each process: a person reads what is heard. */
const OF_ALL: BucketLimits = { perSecond: 60 / 3600, burst: 60 };

/** In memory only: nothing is written down of who suggests a station. */
export function suggestionBudget(clock: Clock): SiteApiContext['admitSuggestion'] {
  const buckets = new TokenBuckets();
  return (address) => {
    const network = `from ${networkOf(address)}`;
    const wait = buckets.take(network, OF_NETWORK, clock.elapsedMs());
    const waitOfAll = wait === 0 ? buckets.take('all', OF_ALL, clock.elapsedMs()) : 0;
    if (wait === 0 && waitOfAll > 0) buckets.giveBack(network, OF_NETWORK);
    const seconds = Math.ceil(Math.max(wait, waitOfAll));
    if (seconds > 0)
      throw new Refusal(
        429,
        'request.tooMany',
        'Too many suggestions in a short time; wait as long as Retry-After says',
        seconds,
      );
  };
}
