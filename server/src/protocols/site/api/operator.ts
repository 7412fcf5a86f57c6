import { redeemOperatorLink } from '../../../core/accounts/operators.ts';
import { describeRadio } from '../../../core/devices/describe-radio.ts';
import { listRecentRadios } from '../../../core/devices/radios.ts';
import { listSources } from '../../../storage/catalog/stations/station-sources.ts';
import { readInstallation } from '../../../storage/installation.ts';
import { type SiteAnswer, type SiteCall, SiteFault } from '../session/site-endpoint.ts';
import type { MemberCall, SiteApiContext } from './deps.ts';
import { Fields } from './fields.ts';

/** How far the first run is; null when it is not running. */
export async function showSetup(_call: SiteCall, { db }: SiteApiContext): Promise<SiteAnswer> {
  const installed = await readInstallation(db);
  const step = installed?.setup_step ?? null;
  return { json: { setup: step && { step, done: installed?.setup_done ?? 0 } } };
}

/** By the link that `longwave setup` prints. */
export async function becomeOperator(call: MemberCall): Promise<SiteAnswer> {
  const { members, accountId } = call;
  const token = new Fields(call.body).required('token');
  if (await redeemOperatorLink(members.pool, accountId, token)) return { json: {} };
  throw new SiteFault(
    410,
    'site.linkOver',
    'This link was used, is too old, or is not the latest one; longwave account operator prints another',
    'token',
  );
}

/** More than a house has; `longwave radios` shows the rest. */
const MAX_SHOWN = 50;

/** How the installation is doing, and what called it lately. */
export async function showOperator(_call: MemberCall, context: SiteApiContext): Promise<SiteAnswer> {
  const { db, directory } = context;
  const installed = await readInstallation(db);
  const sources = await listSources(db);
  return {
    json: {
      stations: directory.current().stations.length,
      home: installed?.home_place ? { place: installed.home_place, isGuess: installed.home_is_guess } : null,
      sources: sources.map(({ name, read_at: readAt, trouble }) => ({
        name,
        readAt: readAt?.toString() ?? null,
        trouble,
      })),
      radios: (await listRecentRadios(db)).slice(0, MAX_SHOWN).map(describeRadio),
    },
  };
}
