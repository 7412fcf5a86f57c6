import { successOf } from '../../answer.ts';
import type { Section } from '../../check.ts';
import { expect } from '../../expect.ts';
import type { Kit } from '../../kit.ts';
import { newAccount, newSerial, type TestAccount } from '../../members.ts';
import { attribute } from '../../opml.ts';
import { expectFault } from '../../saver.ts';

const ACTIONS = ['auth', 'create', 'join', 'drop'];

const credentials = ({ username, password }: TestAccount): Record<string, string> => ({ username, password });

/** An account tied to a device that had one station saved, until the rows have seen it; then it is untied. */
async function whileJoined(
  kit: Kit,
  use: (account: TestAccount, serial: string, id: string) => Promise<void>,
): Promise<void> {
  const account = await kit.members.account();
  const device = kit.members.device();
  const id = await kit.subjects.stationId();
  const { serial } = device;
  await device.done('add', { id });
  successOf(await kit.members.ask('join', { ...credentials(account), serial }));
  try {
    await use(account, serial, id);
  } finally {
    await kit.members.ask('drop', { ...credentials(account), serial });
    await (await kit.members.member()).done('remove', { id });
  }
}

/** Refused with a code of its own, and no account is made. */
export const refusedCreate =
  (code: string, ...wrong: readonly Readonly<Record<string, string>>[]) =>
  async (kit: Kit): Promise<void> => {
    const place = await kit.members.place();
    for (const params of wrong)
      expectFault(await kit.members.ask('create', { ...newAccount(), ...place, ...params }), '', code);
  };

/** Specification 4.11: accounts. */
export const account: Section = {
  id: '4.11',
  title: 'Account',
  checks: [
    {
      id: '4.11-https',
      statement: 'HTTPS is required: plain HTTP is refused, and never redirected',
      run: async (kit) => {
        kit.members.mayWrite();
        const params = { c: 'auth', username: 'nobody', password: 'wrong+1' };
        const answer = await kit.post('/Account.ashx', params, { isPlain: true });
        const { reply, document } = answer;
        expect(
          reply,
          document.status !== '200' && document.status !== '401',
          'a refusal of HTTP',
          document.status,
        );
        expectFault(answer);
      },
    },
    {
      id: '4.11-partner',
      statement: 'partnerId is required by every action, and must be valid',
      run: async (kit) => {
        kit.members.mayWrite();
        for (const c of ACTIONS) {
          const params = { c, ...newAccount(), ...(await kit.members.place()), serial: newSerial() };
          expectFault(await kit.post('/Account.ashx', params, { isAnonymous: true }));
          expectFault(await kit.post('/Account.ashx', { ...params, partnerId: 'no-such-partner' }));
        }
      },
    },
    {
      id: '4.11-create',
      statement: 'create makes an account, from a form in the body',
      run: (kit) => kit.members.account(),
    },
    {
      id: '4.11-create-serial',
      statement: 'create with a serial takes over what was saved on that device',
      run: async (kit) => {
        const device = kit.members.device();
        const id = await kit.subjects.stationId();
        await device.done('add', { id });
        const { serial } = device;
        const { username, password } = await kit.members.create({ serial });
        const member = kit.members.memberOf(username, password);
        await member.expectSaved([id]);
        await member.done('remove', { id });
        await kit.members.ask('drop', { username, password, serial });
      },
    },
    {
      id: '4.11-create-username',
      statement: 'a username is at most 12 alphanumeric characters',
      run: refusedCreate(
        'validation.error',
        { username: 'k123456789012' },
        { username: 'k.1' },
        { username: '' },
      ),
    },
    {
      id: '4.11-create-password',
      statement: 'a password is 4 to 12 alphanumeric or symbol characters',
      run: refusedCreate(
        'validation.password',
        { password: 'abc' },
        { password: 'p234567890123' },
        { password: '' },
      ),
    },
    {
      id: '4.11-auth',
      statement: 'auth is status 200 for the right password',
      run: async (kit) => {
        const params = credentials(await kit.members.account());
        successOf(await kit.members.ask('auth', params));
      },
    },
    {
      id: '4.11-auth-401',
      statement: 'auth is status 401 for a wrong one, and for a name that nobody has',
      run: async (kit) => {
        const { username } = await kit.members.account();
        expectFault(await kit.members.ask('auth', { username, password: 'wrong+1' }), '401');
        expectFault(await kit.members.ask('auth', credentials(newAccount())), '401');
      },
    },
    {
      id: '4.11-join',
      statement: 'join merges what was saved on the device into the account',
      run: (kit) =>
        whileJoined(kit, async (_account, _serial, id) => {
          const { reply, document } = await (await kit.members.member()).presets();
          const ids = document.outlines.map((outline) => attribute(outline, 'guide_id'));
          expect(reply, ids.includes(id), `${id} among the presets`, ids.join(', '));
        }),
    },
    {
      id: '4.11-join-exists',
      statement: 'join is validation.deviceExists when the account has a device',
      run: (kit) =>
        whileJoined(kit, async (joined) => {
          const params = { ...credentials(joined), serial: newSerial() };
          expectFault(await kit.members.ask('join', params), '', 'validation.deviceExists');
        }),
    },
    {
      id: '4.11-drop',
      statement: 'drop resets the presets of the device',
      run: (kit) =>
        whileJoined(kit, async (joined, serial) => {
          successOf(await kit.members.ask('drop', { ...credentials(joined), serial }));
          const { reply, document } = await kit.fresh(`/Browse.ashx?c=presets&serial=${serial}`);
          expect(reply, document.outlines.length === 0, 'no presets', String(document.outlines.length));
        }),
    },
    {
      id: '4.11-drop-other',
      statement: 'drop is validation.deviceNotAssociated when the device is not tied to the account',
      run: async (kit) => {
        const params = { ...credentials(await kit.members.account()), serial: newSerial() };
        expectFault(await kit.members.ask('drop', params), '', 'validation.deviceNotAssociated');
      },
    },
  ],
};
