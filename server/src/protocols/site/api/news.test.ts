import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, test } from 'node:test';
import { postTo } from '../../../../test/servers/mail-server.ts';
import { mailboxOf, mailedSite } from '../../../../test/apps/mailed-site.ts';
import { member, registrationOf, SITE_PASSWORD, siteApp, Visitor } from '../../../../test/apps/site-app.ts';
import { TRANSLATIONS } from '../../../core/i18n/translations.ts';
import { wordsFor } from '../../../core/i18n/words.ts';
import { createLog } from '../../../lib/log.ts';

const NEW = 'lamp-on-the-pier-8';

const world = await mailedSite();
const { mail, site } = world;
after(() => world[Symbol.asyncDispose]());

const changePassword = (by: Visitor, old = SITE_PASSWORD, next = NEW): Promise<unknown> =>
  by.send('PATCH', 'me', { password: { old, new: next } });
const changeEmail = (by: Visitor, email: string): Promise<unknown> =>
  by.send('PATCH', 'me', { email, currentPassword: SITE_PASSWORD });

/** What mailboxes get is sent in order: once a later letter has come, those before it were sent or never will be. */
async function countOf(mailbox: string, other: string): Promise<number> {
  await member(site, other);
  await new Visitor(site).send('POST', 'forgotten', { who: other });
  await mail.letters(mailboxOf(other));
  return mail.received.filter(({ to }) => to.includes(mailbox)).length;
}

for (const language of TRANSLATIONS.keys())
  test(`the owner of an account is told in ${language} that its password is another one`, async () => {
    const name = `Ann${language}`;
    const owner = new Visitor(site);
    await owner.send('POST', 'register', registrationOf(name, { language }), 201);
    await changePassword(owner);
    const [letter] = await mail.letters(mailboxOf(name));
    const link = 'https://radio.test/listen/forgotten';
    const text = wordsFor(language).text('members.passwordText', { username: name, link });
    const content = contentOf(letter?.text);
    assert.ok(content.includes(text.trim()), content);
    for (const secret of [SITE_PASSWORD, NEW]) assert.ok(!content.includes(secret));
  });

for (const language of TRANSLATIONS.keys())
  test(`and in ${language} that its radios have another password, which the letter does not hold`, async () => {
    const name = `Dev${language}`;
    const owner = new Visitor(site);
    await owner.send('POST', 'register', registrationOf(name, { language }), 201);
    const { password } = await owner.send('POST', 'me/device-password', {});
    const [letter] = await mail.letters(mailboxOf(name));
    const link = 'https://radio.test/listen/forgotten';
    const text = wordsFor(language).text('members.devicePasswordText', { username: name, link });
    const content = contentOf(letter?.text);
    assert.ok(content.includes(text.trim()), content);
    assert.match(password, /^[A-Z2-9]{12}$/);
    assert.ok(!content.includes(password));
  });

/** Its text, however it was packed for the way. */
function contentOf(letter = ''): string {
  const [head = '', ...body] = letter.replaceAll('\r\n', '\n').split('\n\n');
  const text = body.join('\n\n');
  return /base64/i.test(head) ? Buffer.from(text, 'base64').toString() : text;
}

test('so is who was given the link of a letter, and who used a mailed password', async () => {
  await member(site, 'Linked');
  await new Visitor(site).send('POST', 'forgotten', { who: 'linked' });
  const [letter] = await mail.letters(mailboxOf('linked'));
  const [, token] = /#Linked\.([\w-]{43})/.exec(letter?.text ?? '') ?? [];
  await new Visitor(site).send('POST', 'new-password', { username: 'Linked', token, password: NEW });
  const [, news] = await mail.letters(mailboxOf('linked'), 2);
  assert.match(news?.text ?? '', /Passwort Ihres Kontos wurde geändert/);
  await site.radio('Account', { c: 'reset', username: 'Linked' });
  const [, , mailed] = await mail.letters(mailboxOf('linked'), 3);
  const [, password = ''] = /password is ([A-Z2-9]{12})/.exec(mailed?.text ?? '') ?? [];
  await new Visitor(site).send('POST', 'sign-in', { username: 'linked', password });
  const letters = await mail.letters(mailboxOf('linked'), 4);
  assert.match(letters[3]?.text ?? '', /Passwort Ihres Kontos wurde geändert/);
});

test('of another e-mail address the old one is told, and not which it is', async () => {
  const owner = await member(site, 'Mover');
  await changeEmail(owner, 'MOVER@mail.example');
  await changeEmail(owner, 'moved@mail.example');
  const [letter] = await mail.letters('MOVER@mail.example');
  assert.match(letter?.text ?? '', /eine andere E-Mail-Adresse[^]*an den Betreiber/);
  assert.doesNotMatch(letter?.text ?? '', /moved@|listen\/forgotten/);
  assert.equal(await countOf('moved@mail.example', 'Later1'), 0);
  assert.equal(await countOf(mailboxOf('mover'), 'Later2'), 0, 'capitals are no other mailbox');
});

test('what was refused is no news', async () => {
  const owner = await member(site, 'Refused');
  await owner.send('PATCH', 'me', { password: { old: 'not this one', new: NEW } }, 403);
  await member(site, 'Taken');
  await owner.send('PATCH', 'me', { email: mailboxOf('taken'), currentPassword: SITE_PASSWORD }, 400);
  await owner.send('PATCH', 'me', { zone: 'Asia/Tokyo' });
  assert.equal(await countOf(mailboxOf('refused'), 'Later3'), 0);
});

test('who changes a password again and again fills no mailbox, and leaves room for a link', async () => {
  const owner = await member(site, 'Again');
  const passwords = [SITE_PASSWORD, ...Array.from({ length: 5 }, (_, n) => `${NEW}${n}`)];
  for (const [index, next] of passwords.entries())
    if (index > 0) await changePassword(owner, passwords[index - 1], next);
  await new Visitor(site).send('POST', 'forgotten', { who: 'again' });
  const letters = await mail.letters(mailboxOf('again'), 4);
  assert.match(letters[3]?.text ?? '', /new-password#Again/);
  assert.equal(await countOf(mailboxOf('again'), 'Later4'), 4);
});

test('where no host is known to be ours the operator is named, and without mail it is changed all the same', async () => {
  await using hostless = await siteApp({ mailer: mail.mailer, publicHosts: [] });
  await changePassword(await member(hostless, 'Hostless'));
  const [letter] = await mail.letters(mailboxOf('hostless'));
  assert.match(letter?.text ?? '', /an den Betreiber dieses Dienstes/);
  assert.doesNotMatch(letter?.text ?? '', /https?:/);
  await using mailless = await siteApp();
  const owner = await member(mailless, 'Mailless');
  await changePassword(owner);
  await new Visitor(mailless).send('POST', 'sign-in', { username: 'mailless', password: NEW });
});

test('a mail server that says nothing, with a full queue before it, delays and refuses no change', async (t) => {
  const silent = createServer((socket) => socket.on('error', () => socket.destroy())).listen(0, '127.0.0.1');
  t.after(() => silent.close());
  await once(silent, 'listening');
  const address = silent.address();
  const lines: string[] = [];
  const log = createLog({ level: 'warn', sink: { write: (line) => void lines.push(line) } });
  using stuck = postTo(typeof address === 'object' && address ? address.port : 0, log);
  await using other = await siteApp({ mailer: stuck });
  const owner = await member(other, 'Waiting');
  for (let asked = 0; asked < 110; asked += 1)
    await new Visitor(other).ask('POST', 'forgotten', { who: 'waiting' });
  await changePassword(owner);
  await new Visitor(other).send('POST', 'sign-in', { username: 'waiting', password: NEW });
  assert.match(lines.join('\n'), /a notification was dropped/);
});
