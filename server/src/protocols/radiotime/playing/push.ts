import { songOfText } from '../../../formats/song-text.ts';
import type { Answer, Call, Endpoint } from '../call/endpoint.ts';
import { Fault } from '../../../lib/fault.ts';
import { type Announcement, announce } from '../../../core/now-playing/announce.ts';
import { getStation } from '../../../core/now-playing/find-station.ts';
import type { PushDeps } from '../../../core/now-playing/station-key-guard.ts';

/** Called by broadcasters' software when a song begins. */
export function pushEndpoint(deps: PushDeps): Endpoint {
  const push = (call: Call): Promise<Answer> => receive(deps, call);
  return { paths: ['/Playing.ashx'], actions: new Map([['', push]]), fallback: () => push };
}

async function receive(deps: PushDeps, call: Call): Promise<Answer> {
  const { params, caller, now } = call;
  refuseStrangePartner(call);
  const key = params.required('partnerKey', asGiven);
  const { id: stationId } = await getStation(deps, params.required('id', asGiven));
  await deps.keyGuard.open({ stationId, key, address: caller.securityIp });
  await announce(deps, stationId, announced(call), now.epochMilliseconds);
  return { outlines: [], noStore: true };
}

const asGiven = (text: string): string => text;

/** The station key is sufficient, but a given partnerId must be valid. */
function refuseStrangePartner({ caller: { partnerId, partner } }: Call): void {
  if (partnerId === undefined || partner?.state === 'active') return;
  throw new Fault(
    403,
    'partner.invalid',
    'This partnerId is not registered here; leave it out, the partnerKey is enough',
  );
}

function announced({ params }: Call): Announcement | undefined {
  if (params.flag('commercial')) return undefined;
  const [title, artist, album] = [params.text('title'), params.text('artist'), params.text('album')];
  const song = songOfText({ title, artist, album });
  if (song) return song;
  throw new Fault(
    400,
    'request.invalid',
    "Required parameter 'title' not provided; send commercial=true while no song plays",
  );
}
