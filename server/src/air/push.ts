import { songOf } from '../formats/song-text.ts';
import type { Answer, Call, Endpoint } from '../http/endpoint.ts';
import { Fault } from '../lib/fault.ts';
import { type AnnounceNeeds, type Announcement, announce } from './announce.ts';
import { type StationSources, getStation } from './find-station.ts';
import type { StationDoors } from './station-doors.ts';

export interface PushNeeds extends AnnounceNeeds, StationSources {
  doors: StationDoors;
}

/** What broadcasters' programs call when a song begins. */
export function pushEndpoint(needs: PushNeeds): Endpoint {
  const push = (call: Call): Promise<Answer> => receive(needs, call);
  return { paths: ['/Playing.ashx'], actions: new Map([['', push]]), fallback: () => push };
}

async function receive(needs: PushNeeds, call: Call): Promise<Answer> {
  const { params, caller, now } = call;
  refuseStrangePartner(call);
  const key = params.required('partnerKey', asGiven);
  const { id: stationId } = await getStation(needs, params.required('id', asGiven));
  await needs.doors.open({ stationId, key, address: caller.securityIp });
  await announce(needs, stationId, announced(call), now.epochMilliseconds);
  return { outlines: [], noStore: true };
}

const asGiven = (text: string): string => text;

/** The key says enough; whoever names a partner besides means it. */
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
  const song = songOf({ title, artist, album });
  if (song) return song;
  throw new Fault(
    400,
    'request.invalid',
    "Required parameter 'title' not provided; send commercial=true while no song plays",
  );
}
