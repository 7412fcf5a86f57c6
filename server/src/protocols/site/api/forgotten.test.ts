import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type MailServer, openMailServer } from '../../../../test/servers/mail-server.ts';
import {
  linkIn,
  mailboxOf,
  mailedSite,
  PASSWORD_LINK,
  type PasswordLink,
} from '../../../../test/apps/mailed-site.ts';
import {
  member,
  OWN_PAGE,
  registrationOf,
  SITE_PASSWORD,
  siteApp,
  Visitor,
} from '../../../../test/apps/site-app.ts';
import { BUDGETS } from '../../../core/accounts/budgets.ts';
import { LINK_MINUTES } from '../../../core/accounts/mail/password-by-mail.ts';

const NEW = { password: 'lamp-on-the-pier-8' };
const OTHER = { password: 'lamp-off-the-pier-9' };

const world = await mailedSite();
const { mail, site } = world;
after(() => world[Symbol.asyncDispose]());

/** Asks for a link and reads it in the mailbox, where so many letters are already. */
async function linkFor(username: string, had = 0): Promise<PasswordLink> {
  await new Visitor(site).send('POST', 'forgotten', { who: username });
  return lastLink(username, had + 1);
}

async function lastLink(username: string, count = 1): Promise<PasswordLink> {
  const letters = await mail.letters(mailboxOf(username), count);
  return linkIn(letters.at(-1)?.text);
}

const choose = (by: Visitor, { username, token }: PasswordLink, chosen = NEW) =>
  by.ask('POST', 'new-password', { username, token, ...chosen });
const signIn = async (username: string, { password }: { password: string }): Promise<number> =>
  (await new Visitor(site).ask('POST', 'sign-in', { username, password })).status;
const nameIn = async (visitor: Visitor): Promise<string | undefined> =>
  (await visitor.get('session')).account?.username;

test('a link in a letter sets another password, signs in, and ends every session there was', async () => {
  const earlier = await member(site, 'Ann');
  await new Visitor(site).send('POST', 'forgotten', { who: ' ANN@mail.example ' });
  const link = await lastLink('ann');
  assert.deepEqual([link.host, link.username], ['radio.test', 'Ann']);
  assert.match(mail.received.at(-1)?.text ?? '', /Hello Ann,[^]*It works once, within 60 minutes/);
  assert.equal(await nameIn(earlier), 'Ann', 'to ask for a link changes nothing');
  const opener = new Visitor(site);
  const { status, json } = await choose(opener, link);
  assert.deepEqual([status, json.account?.username], [200, 'Ann']);
  assert.equal(await nameIn(opener), 'Ann');
  assert.equal(await nameIn(earlier), undefined);
  assert.deepEqual([await signIn('ann', NEW), await signIn('ann', { password: SITE_PASSWORD })], [200, 401]);
});

test('whether there is such an account is told by no answer, and nobody has looked when it comes', async () => {
  await member(site, 'Known');
  const shapes = new Set<string>();
  const ask = async (who: string): Promise<void> => {
    const { response, text } = await new Visitor(site).ask('POST', 'forgotten', { who });
    const { date: _, ...headers } = response.headers;
    shapes.add(JSON.stringify([response.statusCode, headers, text]));
  };
  const holder = await site.database.pool.connect();
  try {
    // As long as these are held nobody can be found: an answer that came was not waiting for it.
    await holder.query('BEGIN; LOCK TABLE usernames, emails, accounts IN ACCESS EXCLUSIVE MODE');
    for (const who of ['known', 'nobody99', 'known@mail.example', 'nobody99@mail.example']) await ask(who);
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
  assert.equal(shapes.size, 1, [...shapes].join('\n'));
  assert.match([...shapes][0] ?? '', /^\[200,/);
  await mail.letters(mailboxOf('known'), 2);
  assert.ok(!mail.received.some(({ to }) => to.includes(mailboxOf('nobody99'))));
});

test('a wrong link and a link of nobody are refused in the same words', async () => {
  await member(site, 'Bo');
  const { username, token } = await linkFor('bo');
  const wrong = `${token.slice(0, -1)}${token.endsWith('A') ? 'Q' : 'A'}`;
  const answers = [];
  for (const tried of [
    { username, token: wrong },
    { username: 'nobody99', token },
    { username: 'Known', token },
  ])
    answers.push(await choose(new Visitor(site), { host: '', ...tried }));
  for (const { status, json } of answers)
    assert.deepEqual([status, json], [410, answers[0]?.json], 'a link opens nothing but its own account');
  assert.equal(answers[0]?.json.error.code, 'site.linkOver');
  assert.equal((await choose(new Visitor(site), { host: '', username, token })).status, 200);
});

const ENDS: Readonly<Record<string, (owner: Visitor, link: PasswordLink) => Promise<unknown>>> = {
  'its use': (_, link) => choose(new Visitor(site), link, OTHER),
  'a newer one': (_, { username }) => linkFor(username, 1),
  'a mailed password': async (_, { username }) => {
    await site.radio('Account', { c: 'reset', username });
    await mail.letters(mailboxOf(username), 2);
  },
  'another password': (owner) =>
    owner.send('PATCH', 'me', { password: { old: SITE_PASSWORD, new: OTHER.password } }),
  'another e-mail address': (owner, { username }) =>
    owner.send('PATCH', 'me', { email: `new.${username}@mail.example`, currentPassword: SITE_PASSWORD }),
  'an hour': async () => site.clock.advance({ minutes: LINK_MINUTES }),
};

for (const [index, [what, end]] of Object.entries(ENDS).entries())
  test(`a link ends with ${what}`, async () => {
    const owner = await member(site, `Ending${index}`);
    const link = await linkFor(`ending${index}`);
    await end(owner, link);
    const { status, json } = await choose(new Visitor(site), link);
    assert.deepEqual([status, json.error?.code], [410, 'site.linkOver']);
    assert.equal(await signIn(link.username, NEW), 401);
  });

test('of ten who open one link at once, one sets the password', async () => {
  await member(site, 'Racer');
  const link = await linkFor('racer');
  const tries = Array.from({ length: 10 }, (_, n) =>
    choose(new Visitor(site), link, { password: `pier-lamp-no-${n}` }),
  );
  const statuses = (await Promise.all(tries)).map(({ status }) => status);
  assert.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [200, ...Array<number>(9).fill(410)],
  );
  assert.equal(await signIn('racer', { password: `pier-lamp-no-${statuses.indexOf(200)}` }), 200);
});

test('what cannot be a password or an account is told by its field, and the link stays good', async () => {
  await member(site, 'Typist');
  const link = await linkFor('typist');
  const { status, json } = await choose(new Visitor(site), link, { password: 'short 7' });
  assert.deepEqual([status, json.error.field], [400, 'password']);
  for (const body of [{}, { who: '' }, { who: 'not a name' }, { who: 'ann@' }, { who: 5 }]) {
    const refused = await new Visitor(site).ask('POST', 'forgotten', body);
    assert.deepEqual([refused.status, refused.json.error.field], [400, 'who'], JSON.stringify(body));
  }
  assert.equal((await choose(new Visitor(site), link)).status, 200);
});

test('an account of a radio gets a password for the site, and the radio goes on with its own', async () => {
  const made = {
    username: 'Radio1',
    password: 'Secret1!',
    email: 'radio1@mail.example',
    postalCode: '90210',
  };
  assert.match(await site.radio('Account', { c: 'create', ...made }), /<status>200</);
  const opener = new Visitor(site);
  const { json } = await choose(opener, await linkFor('radio1'));
  assert.equal(json.account.needsPassword, false);
  const { username, password } = made;
  assert.match(await site.radio('Account', { c: 'auth', username, password }), /<status>200</);
  assert.equal(await signIn(username, { password }), 401);
});

test('a closed account opens again', async () => {
  const leaver = await member(site, 'Leaver');
  await leaver.send('DELETE', 'me', { password: SITE_PASSWORD });
  const opener = new Visitor(site);
  assert.equal((await choose(opener, await linkFor('leaver'))).status, 200);
  const { rows } = await site.database.pool.query("SELECT closed_at FROM accounts WHERE username = 'Leaver'");
  assert.deepEqual(rows, [{ closed_at: null }]);
});

test('a mailbox gets three letters an hour, from the site and from radios together', async () => {
  await member(site, 'Flooded');
  await site.radio('Account', { c: 'remind', email: mailboxOf('flooded') });
  for (let n = 0; n < 5; n++) await new Visitor(site).send('POST', 'forgotten', { who: 'flooded' });
  // Letters go one after the other: when a later one has come, those before it were sent or never will be.
  await member(site, 'Patient');
  await linkFor('patient');
  assert.equal((await mail.letters(mailboxOf('flooded'))).length, 3);
});

test('a network asks so often an hour, whomever it asks about', async () => {
  await using strict = await siteApp({ mailer: mail.mailer, budgets: BUDGETS });
  const [limit] = BUDGETS.mail;
  const statuses: number[] = [];
  for (let n = 0; n <= limit.burst; n++)
    statuses.push((await new Visitor(strict).ask('POST', 'forgotten', { who: `nobody${n}` })).status);
  assert.deepEqual([statuses.indexOf(429), statuses.length], [limit.burst, limit.burst + 1]);
});

test('where no mail is sent, or no host is known to be ours, the page knows and the call says what to do', async () => {
  await using mailless = await siteApp();
  // Nobody but the operator says where a link leads: a caller would choose where another's link is opened.
  await using hostless = await siteApp({ mailer: mail.mailer, publicHosts: [] });
  await using housed = await siteApp({ mailer: mail.mailer, publicHosts: [], siteHost: 'listen.test' });
  for (const each of [mailless, hostless]) {
    const visitor = await member(each, 'Ann');
    assert.equal((await visitor.get('session')).forgotten, 'operator');
    const { status, json } = await visitor.ask('POST', 'forgotten', { who: 'ann' });
    assert.deepEqual([status, json.error.code], [503, 'site.noMail']);
    assert.match(json.error.message, /MAIL_URL.*PUBLIC_HOSTS.*longwave account password NAME/);
  }
  const visitor = await member(housed, 'Housed');
  assert.equal((await visitor.get('session')).forgotten, 'mail');
  await visitor.send('POST', 'forgotten', { who: 'housed' });
  assert.equal((await lastLink('housed')).host, 'listen.test');
});

test('a stranger cannot turn a link to a host of his own', async () => {
  await member(site, 'Victim');
  const stranger = new Visitor(site, {
    host: 'evil.test',
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'evil.test',
  });
  const body = { who: 'victim' };
  await stranger.ask('POST', 'forgotten', body, { ...OWN_PAGE, origin: 'https://evil.test' });
  await stranger.ask('POST', 'forgotten', body);
  await stranger.ask('POST', 'forgotten', body, {
    ...OWN_PAGE,
    origin: 'https://radio.test',
    'sec-fetch-site': 'same-origin',
  });
  for (const { text } of await mail.letters(mailboxOf('victim'))) {
    assert.doesNotMatch(text, /evil/);
    assert.equal(linkIn(text).host, 'radio.test');
  }
});

test('the link is in no log and not in the database, also where a mail server quotes the letter', async () => {
  await using rude = await openMailServer(({ text }) => `not for us: ${PASSWORD_LINK.exec(text)?.[0]}`);
  await using other = await siteApp({ mailer: rude.mailer });
  await new Visitor(other).send('POST', 'register', registrationOf('Quoted'), 201);
  await new Visitor(other).send('POST', 'forgotten', { who: 'quoted' });
  const [letter] = await rude.letters(mailboxOf('quoted'));
  const link = linkIn(letter?.text);
  await waitForLog(rude);
  const { rows } = await other.database.pool.query('SELECT reset_hash::text, reset_until FROM accounts');
  await choose(new Visitor(other), link);
  const written = [...rude.logLines, ...other.logLines, JSON.stringify(rows)].join('\n');
  assert.match(written, /a mail could not be sent[^]*reset_hash/);
  const { token } = link;
  const forms = [Buffer.from(token), Buffer.from(token, 'base64url')].map((bytes) => bytes.toString('hex'));
  for (const form of [token, ...forms]) assert.ok(!written.includes(form), 'only a keyed hash is kept');
  assert.doesNotMatch(written, /quoted@mail/);
});

async function waitForLog({ logLines }: MailServer): Promise<void> {
  for (let tries = 0; tries < 100 && logLines.length === 0; tries++)
    await new Promise((resolve) => setTimeout(resolve, 20));
}
