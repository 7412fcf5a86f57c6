import { isOtherKey } from '../../members/member-key.ts';
import { memberKeys } from '../../members/keys.ts';
import { orUnknown } from './behind-database.ts';
import type { Check, Patient } from './check.ts';
import { type Finding, broken, warning, well } from './finding.ts';
import { mailLine } from './mail.ts';

export const accountsCheck: Check = {
  title: 'Accounts',
  look: async (patient) => [
    await orUnknown('key', memberKey(patient)),
    await mailLine(patient.config),
    ...passwords(patient),
  ],
};

async function memberKey({ config, pool }: Patient): Promise<Finding> {
  if (config.memberKey === undefined)
    return warning(
      'key',
      'MEMBER_KEY is not set: no accounts and no presets',
      'longwave config key prints one; set MEMBER_KEY to it, for good',
    );
  if (await isOtherKey(pool, memberKeys(config.memberKey)))
    return broken(
      'key',
      'MEMBER_KEY is not the one this database was used with, and no server starts with it',
      'set the key that belongs to the database, or unset MEMBER_KEY to serve without accounts',
    );
  return well('key', 'MEMBER_KEY is set and belongs to this database');
}

const passwords = ({ config: { legacyCredentials } }: Patient): Finding[] =>
  legacyCredentials === 'allow'
    ? [
        warning(
          'passwords',
          'LEGACY_CREDENTIALS=allow: passwords are taken in the clear',
          'keep it to a home network that nobody else listens to; elsewhere unset it',
        ),
      ]
    : [];
