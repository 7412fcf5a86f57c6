import { parseArgs } from 'node:util';
import { openContext } from '../../app/context.ts';
import { describeRadio, type Radio } from '../../core/devices/describe-radio.ts';
import { listRecentRadios } from '../../core/devices/radios.ts';
import type { DiaryCall } from '../../core/devices/recent-calls.ts';
import type { Trouble } from '../../core/devices/why-not.ts';
import { type Command, UsageError } from '../command.ts';
import { formatSeconds, secondsBetween } from '../doctor/format.ts';
import { inColumns, plain } from '../terminal.ts';

export const radiosCommand: Command = {
  usage: ['radios [ADDRESS] [--json]'],
  summary: 'show what called lately and why it does not play; with an address, its last 20 calls',
  async run(args, config) {
    const options = { json: { type: 'boolean' } } as const;
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options });
    const [address = '', ...more] = positionals;
    if (more.length > 0) throw new UsageError(`'${more[0]}' is unexpected; give one address`);
    await using context = openContext(config, { name: 'radios' });
    const now = Temporal.Now.instant();
    const radios = (await listRecentRadios(context.pool, address)).map(describeRadio);
    if (values.json === true) console.log(JSON.stringify({ radios }, null, 2));
    else if (radios.length === 0) console.log(noneCalled(address, config.keepCallsHours));
    else console.log(address === '' ? writeList(radios, now) : writeEach(radios, now));
  },
};

function noneCalled(address: string, keepHours: number): string {
  if (keepHours === 0) return 'calls are not kept (KEEP_CALLS_HOURS=0)';
  if (address !== '') return `${address} has not called lately; longwave radios lists what did`;
  return 'nothing has called lately: longwave doctor goes the way that a radio goes and says where it ends';
}

const ago = (at: string, now: Temporal.Instant): string =>
  `${formatSeconds(Math.max(0, secondsBetween(Temporal.Instant.from(at), now)))} ago`;

/** A line for each, and what is wrong below it. */
function writeList(radios: readonly Radio[], now: Temporal.Instant): string {
  const header = ['ADDRESS', 'DEVICE', 'PARTNER', 'SEEN', 'LAST ASKED'];
  const rows = radios.map(({ address, profile, partnerId, seenAt, calls }) =>
    [address, profile, partnerId || '-', ago(seenAt, now), calls[0]?.what ?? '-'].map(plain),
  );
  const [head = '', ...lines] = inColumns([header, ...rows]).split('\n');
  const each = lines.flatMap((line, index) => [line, ...writeTrouble(radios[index]?.trouble ?? null)]);
  const example = radios.find(({ trouble }) => trouble)?.address ?? radios[0]?.address;
  return [head, ...each, '', `The last calls of one: longwave radios ${example}`].join('\n');
}

const writeTrouble = (trouble: Trouble | null): string[] =>
  trouble ? [`  ! ${plain(trouble.text)}`, `    → ${plain(trouble.mend)}`] : [];

const writeEach = (radios: readonly Radio[], now: Temporal.Instant): string =>
  radios.map((radio) => writeRadio(radio, now)).join('\n\n');

function writeRadio(radio: Radio, now: Temporal.Instant): string {
  const { address, profile, device, partnerId, agent, seenAt, trouble, calls } = radio;
  const about = inColumns(
    [
      ['address', address],
      ['device', `${profile}: ${device}`],
      ['partner id', partnerId || 'none'],
      ['program', agent || 'not known'],
      ['last seen', ago(seenAt, now)],
    ].map((cells) => cells.map(plain)),
  );
  const lines = inColumns(calls.map((call) => [ago(call.at, now), call.what, outcomeOf(call)].map(plain)));
  return [about, ...writeTrouble(trouble), '', lines].join('\n');
}

const outcomeOf = ({ status, code, answer }: Omit<DiaryCall, 'at'>): string =>
  [status, code, answer].filter((part) => part !== undefined).join(' ');
