import type { Config } from '../../config.ts';
import { createLog } from '../../lib/log.ts';
import { Post } from '../../lib/post.ts';
import { type Finding, note, warning, well } from './finding.ts';

const NAME = 'mail';
/** For each step of the way in; all of them fit in the time of a check. */
const SILENCE_MS = 1500;

/** Whether the mail server lets us in. No letter is sent. */
export async function mailLine({ mailUrl, mailFrom, siteHost, publicHosts }: Config): Promise<Finding> {
  if (mailUrl === undefined || mailFrom === undefined)
    return note(
      NAME,
      'none is sent: who forgets a password has to ask you',
      'MAIL_URL=smtps://user:password@mail.example:465 and MAIL_FROM',
    );
  const { host } = new URL(mailUrl);
  const refusal = await refusalOf(mailUrl, mailFrom);
  if (refusal !== undefined)
    return warning(
      NAME,
      `none can be sent through ${host}: ${refusal}`,
      'correct MAIL_URL, or see that server',
    );
  if (siteHost === undefined && publicHosts.length === 0)
    return warning(NAME, 'mails can hold no link to the site', 'set PUBLIC_HOSTS or SITE_HOST');
  return well(NAME, `from ${mailFrom} through ${host}, which lets us in`);
}

async function refusalOf(url: string, from: string): Promise<string | undefined> {
  using post = new Post({ url, from, log: createLog({ level: 'silent' }), silenceMs: SILENCE_MS });
  try {
    await post.greet();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
