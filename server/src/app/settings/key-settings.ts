import { MIN_MEMBER_KEY_LENGTH } from '../../core/accounts/keys.ts';
import { secretSetting } from './setting.ts';

/** The secret of accounts, and the one before it: docs/accounts.md. */
export const KEY_SETTINGS = {
  memberKey: secretSetting({
    name: 'MEMBER_KEY',
    shortest: MIN_MEMBER_KEY_LENGTH,
    unset: undefined,
    description:
      'The secret for hashing passwords and serials; `longwave config key` prints a new one. Use the same for all processes, and store it apart from the database and its backups: with another key no password or serial is recognised. `longwave config rotate-key` replaces it. Unset, there are no accounts and no presets.',
  }),
  memberKeyOld: secretSetting({
    name: 'MEMBER_KEY_OLD',
    shortest: MIN_MEMBER_KEY_LENGTH,
    unset: undefined,
    description:
      'While `MEMBER_KEY` is being replaced: the key before it. Until `longwave config rotate-key` says that it can go.',
  }),
} as const;
