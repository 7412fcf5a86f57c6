import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog, errorFields, scrub, withoutValues } from './log.ts';

const scrubbed: [line: string, clean: string][] = [
  ['GET /Preset.ashx?c=add&password=hunter2&id=s1', 'GET /Preset.ashx?c=add&password=***&id=s1'],
  ['PASSWORD=hunter2', 'PASSWORD=***'],
  ['serial=00:11:22&username=ann&render=json', 'serial=***&username=***&render=json'],
  ['newPassword=hunter2 oldpasswd=x', 'newPassword=*** oldpasswd=***'],
  ['{"password":"hunter2","c":"auth"}', '{"password":"***","c":"auth"}'],
  [String.raw`{"msg":"body {\"serial\": \"ABC\"}"}`, String.raw`{"msg":"body {\"serial\": \"***\"}"}`],
  ['Key (email)=(ann) already exists', 'Key (email)=(***) already exists'],
  ['mail to ann.b+x@mail.example.org bounced', 'mail to *** bounced'],
  ['to=ann%40example.org', 'to=***'],
  ['postgres://longwave:s3cret@db.internal/longwave', 'postgres://***@db.internal/longwave'],
  ['{"level":"info","route":"/Browse.ashx","ms":3}', '{"level":"info","route":"/Browse.ashx","ms":3}'],
];
for (const [line, clean] of scrubbed) test(`scrubs ${line}`, () => assert.equal(scrub(line), clean));

test('a scrubbed line is still JSON, and the secret is in none of its fields', () => {
  const lines: string[] = [];
  const log = createLog({ level: 'trace', sink: { write: (line) => void lines.push(line) } });
  log.error({ err: new Error('no such row for serial=CANARY-1') }, 'failed for bob@example.org');
  log.info({ password: 'CANARY-2', nested: { serial: 'CANARY-3' } });
  for (const line of lines) assert.ok(JSON.parse(line).level);
  assert.equal(lines.length, 2);
  assert.doesNotMatch(lines.join(''), /CANARY|bob@/);
});

function scrubCpu(size: number): number {
  const lines = ['a', '@', 'a@', 'serial', 'a.', 'password='].map((piece) =>
    piece.repeat(size / piece.length),
  );
  const start = process.cpuUsage();
  for (const line of lines) scrub(`${line}@password`);
  return process.cpuUsage(start).user;
}

test('the scrub takes linear time on hostile lines', () => {
  scrubCpu(20_000);
  const small = Math.max(scrubCpu(20_000), 1000);
  assert.ok(scrubCpu(160_000) / small < 8 * 6, 'eight times the text may not cost sixty-four times the work');
});

test('values the caller sent are taken out of a text', () => {
  assert.equal(withoutValues('device 0011 of ann', ['0011', 'ann']), 'device *** of ***');
  assert.equal(withoutValues('line 1 of 1', ['1']), 'line 1 of 1');
});

test('an error shows its type, message, code, stack and causes, and nothing a driver hangs on it', () => {
  const cause = Object.assign(new Error('inner'), { code: '22021', parameters: ['CANARY'] });
  const fields = errorFields(new Error('outer', { cause }));
  assert.equal(fields.cause?.code, '22021');
  assert.doesNotMatch(JSON.stringify(fields), /CANARY/);
  assert.deepEqual(errorFields('text'), { type: 'string', message: 'text' });
  const secret = errorFields(new Error('of 0011', { cause: new Error('for ann') }), ['0011', 'ann']);
  assert.doesNotMatch(JSON.stringify([secret.message, secret.stack, secret.cause?.message]), /0011|ann/);
});
