import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitUntil } from '../time/wait-until.ts';
import { seededDatabase } from '../database/database.ts';
import { runLongwave } from '../processes/run-longwave.ts';
import { startService } from '../processes/service-process.ts';

interface Radio {
  address: string;
  partnerId: string;
  profile: string;
  agent: string;
  trouble: { text: string; mend: string } | null;
  calls: { at: string; what: string; status: number; code?: string; answer?: string }[];
}

test('what called is shown with its calls and with why it does not play, registered or not', async () => {
  await using database = await seededDatabase();
  await using service = await startService(database.url, { PARTNERS: 'registered' });
  const settings = { DATABASE_URL: database.url };
  const nobody = runLongwave(['radios'], settings);
  assert.match(nobody.stdout, /^nothing has called lately: longwave doctor/);
  const call = async (path: string, agent = ''): Promise<void> => {
    await (await fetch(service.origin + path, { headers: { 'user-agent': agent } })).text();
  };
  await call('/Browse.ashx?partnerId=k1tchen&serial=secret-serial-4711', 'Kitchen/2.0');
  await call('/Browse.ashx?c=local&query=typed-by-somebody', 'Linn/4.2');
  await call('/Tune.ashx?id=s1&formats=real', 'Linn/4.2');
  await call('/Tune.ashx?id=s999999', 'Bose_Lisa/27');
  await call('/setupapp/yamaha/asp/BrowseXML/loginXML.asp?mac=0123456789ab', 'Yamaha/1.0');
  await call('/RadioNativeLogin.php?secret=0123456789ab', 'Noxon/3.8');
  const radios = await waitUntil('all calls', async () => {
    const read: { radios: Radio[] } = JSON.parse(runLongwave(['radios', '--json'], settings).stdout);
    return read.radios.flatMap(({ calls }) => calls).length === 6 ? read.radios : undefined;
  });
  const by = (agent: string): Radio | undefined => radios.find((radio) => radio.agent === agent);
  assert.deepEqual(
    [by('Kitchen')?.address, by('Kitchen')?.partnerId, by('Kitchen')?.calls[0]?.code],
    ['127.0.0.1', 'k1tchen', 'partner.invalid'],
  );
  assert.match(by('Kitchen')?.trouble?.mend ?? '', /^longwave partner add k1tchen/);
  assert.deepEqual(
    by('Linn')?.calls.map(({ what, code }) => [what, code]),
    [
      ['Tune s1', 'tune.notCompatible'],
      ['Browse local', undefined],
    ],
  );
  assert.equal(by('Linn')?.profile, 'linn');
  assert.match(by('Linn')?.trouble?.text ?? '', /^s1: No stream for /);
  assert.deepEqual(
    [by('Bose_Lisa')?.calls[0]?.what, by('Bose_Lisa')?.calls[0]?.status],
    ['Tune s999999', 404],
  );
  assert.deepEqual(
    by('Yamaha')?.calls.map(({ what, status }) => [what, status]),
    [['vTuner menu root', 200]],
  );
  assert.equal(by('Yamaha')?.profile, 'old-radio');
  assert.match(by('Noxon')?.trouble?.text ?? '', /speaks Noxon/);
  for (const secret of ['secret-serial', 'typed-by', '0123456789ab'])
    assert.ok(!JSON.stringify(radios).includes(secret), secret);

  const list = runLongwave(['radios'], settings).stdout;
  assert.match(list, /^ADDRESS +DEVICE +PARTNER +SEEN +LAST ASKED$/m);
  assert.match(
    list,
    /^127\.0\.0\.1 +unknown +k1tchen +\d+ seconds? ago +Browse\n {2}! its partner id k1tchen is refused/m,
  );
  const one = runLongwave(['radios', '127.0.0.1'], settings).stdout;
  assert.match(one, /^device +linn: Linn DS and other OpenHome players$/m);
  assert.match(one, /^\d+ seconds? ago +Tune s1 +200 tune\.notCompatible No stream for /m);
  assert.match(runLongwave(['radios', '10.9.9.9'], settings).stdout, /^10\.9\.9\.9 has not called lately/);
  assert.equal(runLongwave(['radios', 'a', 'b'], settings).status, 2);
});
