import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeAuthority, makeSelfSigned } from '../servers/certificates.ts';
import { type House, type HouseOptions } from '../house/house.ts';
import type { Program } from '../processes/program.ts';
import { waitFor } from '../time/wait-until.ts';
import { HOSTS_FILE, nameOf } from './hosts.ts';

const SERVE = join(import.meta.dirname, 'serve-town.ts');
/** Where Debian's programs look for authorities. */
const TRUSTED = '/etc/ssl/certs/ca-certificates.crt';

/** What a house has to be like for the town: its own internet, names and authority. */
export interface TownPlan {
  options: HouseOptions;
  certificates: TownCertificates;
}

export interface TownCertificates {
  secure: { key: string; cert: string };
  /** Signed by itself alone. */
  forged: { key: string; cert: string };
}

export function planTown(): TownPlan {
  const authority = makeAuthority();
  const files = {
    '/etc/hosts': HOSTS_FILE,
    '/etc/resolv.conf': 'nameserver 127.0.0.1\n',
    [TRUSTED]: `${readFileSync(TRUSTED, 'utf8')}\n${authority.ca}`,
  };
  const certificates = {
    secure: authority.issue(`DNS:${nameOf('secure')}`),
    forged: makeSelfSigned(`DNS:${nameOf('forged')}`),
  };
  return { options: { files, isInternet: true }, certificates };
}

/** For who trusts by the key alone. */
export const secureCertFile = ({ folder }: House): string => join(folder, 'secure.pem');

/** Names, playlists, redirects, HLS, TLS and every kind of refusal, in one program. It ends with the house. */
export async function startTown(house: House, { certificates }: TownPlan): Promise<Program> {
  writeFileSync(join(house.folder, 'certificates.json'), JSON.stringify(certificates));
  writeFileSync(secureCertFile(house), certificates.secure.cert);
  const town = house.start(process.execPath, [SERVE, house.folder]);
  await waitFor(town, 'the town', async () => town.said().includes('open') || undefined);
  return town;
}
