import type { Config } from '../../app/config.ts';
import { findKeyState, findKeyTrouble } from '../../core/accounts/key-state.ts';
import { memberKeys } from '../../core/accounts/keys.ts';
import { MAX_SELF_REGISTERED } from '../../core/accounts/partners/partner-table.ts';
import { countUnknownPartners } from '../../core/accounts/partners/unknown-partners.ts';
import { createLog } from '../../lib/log.ts';
import { Mailer } from '../../net/mailer.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import { type RowOf, statement } from '../../storage/db/statement.ts';
import {
  broken,
  type Check,
  type Finding,
  note,
  orUnknown,
  type CheckContext,
  warning,
  well,
} from './check.ts';
import { formatCount } from './format.ts';

export const accountsCheck: Check = {
  title: 'Accounts',
  look: async (context) => [
    await orUnknown('key', memberKey(context)),
    await mailLine(context.config),
    ...passwords(context),
  ],
};

async function memberKey({ config, pool }: CheckContext): Promise<Finding> {
  if (config.memberKey === undefined && (await findKeyState(pool)))
    return broken(
      'key',
      'MEMBER_KEY is not set, and this database has accounts that were made with one: nobody can sign in, no preset is found',
      'set the MEMBER_KEY that belongs to this database, from where you store it; a new one does not help',
    );
  if (config.memberKey === undefined)
    return warning(
      'key',
      'MEMBER_KEY is not set: no accounts and no presets',
      'set MEMBER_KEY to what longwave config key prints, and keep it (docs/accounts.md says how it is replaced)',
    );
  const trouble = await findKeyTrouble(pool, memberKeys(config.memberKey, config.memberKeyOld));
  if (trouble) return broken('key', `${trouble.what}; no server can start`, trouble.todo);
  return well('key', 'MEMBER_KEY is set and belongs to this database');
}

const passwords = ({ config: { legacyCredentials } }: CheckContext): Finding[] =>
  legacyCredentials === 'allow'
    ? [
        warning(
          'passwords',
          'LEGACY_CREDENTIALS=allow: passwords are accepted unencrypted',
          'only use it in a home network; elsewhere unset it',
        ),
      ]
    : [];

const MAIL = 'mail';
/** Timeout for each SMTP step; all of them fit into the time of a check. */
const SILENCE_MS = 1500;

/** Whether the mail server accepts our login. No mail is sent. */
async function mailLine({ mailUrl, mailFrom, siteHost, publicHosts }: Config): Promise<Finding> {
  if (mailUrl === undefined || mailFrom === undefined)
    return note(
      MAIL,
      'no mail is sent: people who forget a password have to ask you',
      'set MAIL_URL=smtps://user:password@mail.example:465 and MAIL_FROM',
    );
  const { host } = new URL(mailUrl);
  const refusal = await refusalOf(mailUrl, mailFrom);
  if (refusal !== undefined)
    return warning(
      MAIL,
      `no mail can be sent through ${host}: ${refusal}`,
      'correct MAIL_URL, or check that server',
    );
  if (siteHost === undefined && publicHosts.length === 0)
    return warning(MAIL, 'mails cannot link to the site', 'set PUBLIC_HOSTS or SITE_HOST');
  return well(MAIL, `from ${mailFrom} through ${host}, which accepts the login`);
}

async function refusalOf(url: string, from: string): Promise<string | undefined> {
  using mailer = new Mailer({ url, from, log: createLog({ level: 'silent' }), silenceMs: SILENCE_MS });
  try {
    await mailer.verify();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export const partnersCheck: Check = {
  title: 'Partners',
  async look(context) {
    const counted = await countPartners(context.pool);
    return [activeOnes(counted), unknownIds(context, counted), ...(await refusedIds(context.pool))];
  },
};

const COUNTED = { active: 'int8', disabled: 'int8', by_themselves: 'int8', built_in: 'int8' } as const;
type Counted = RowOf<typeof COUNTED>;
const countPartners = statement(
  'doctor-partners',
  COUNTED,
  `SELECT count(*) FILTER (WHERE state = 'active') AS active, count(*) FILTER (WHERE state <> 'active') AS disabled,
     count(*) FILTER (WHERE registered_by = 'itself') AS by_themselves,
     count(*) FILTER (WHERE registered_by = 'longwave' AND state = 'active') AS built_in
   FROM partners`,
).one();

function activeOnes({ active, disabled, by_themselves: itself, built_in: builtIn }: Counted): Finding {
  if (active === 0)
    return warning(
      'active',
      'none: menus are answered, presets and accounts are refused (partner.invalid)',
      "longwave partner add my-radio --name 'My radio', or longwave partner enable ID",
    );
  const parts = [
    ...(builtIn > 0 ? [`${formatCount(builtIn)} of them built in for known devices`] : []),
    ...(itself > 0 ? [`${formatCount(itself)} registered automatically`] : []),
    ...(disabled > 0 ? [`and ${formatCount(disabled)} disabled`] : []),
  ];
  return well('active', [formatCount(active), ...parts].join(', '));
}

/** How unregistered partner ids are treated. */
function unknownIds({ config: { partners, publicHosts } }: CheckContext, counted: Counted): Finding {
  const name = 'unknown ids';
  if (partners !== 'any')
    return note(
      name,
      'refused (PARTNERS=registered)',
      'longwave partner add ID for a radio that is refused, or PARTNERS=any at home',
    );
  if (counted.by_themselves >= MAX_SELF_REGISTERED)
    return warning(
      name,
      `refused: ${formatCount(MAX_SELF_REGISTERED)} were registered automatically, which is the maximum`,
      'check longwave partner list, and set PARTNERS=registered if these are not your radios',
    );
  if (publicHosts.length > 0)
    return note(
      name,
      'registered automatically (PARTNERS=any), which is only suitable at home',
      'on the internet, set PARTNERS=registered',
    );
  return well(name, 'registered automatically, as suitable at home (PARTNERS=any)');
}

/** Ids that called lately and are not registered. */
async function refusedIds(db: Queryable): Promise<Finding[]> {
  const { ids, newest } = await countUnknownPartners(db);
  if (newest === null) return [];
  const what = ids === 1 ? 'one that is not registered' : `${formatCount(ids)} that are not registered`;
  return [
    note(
      'refused ids',
      `${what} called within 30 days, the last was ${newest}`,
      `longwave partner unknown lists them; longwave partner add '${newest.replaceAll("'", '')}' registers it`,
    ),
  ];
}
