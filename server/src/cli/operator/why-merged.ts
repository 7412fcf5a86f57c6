import { parseArgs } from 'node:util';
import { openContext } from '../../app/context.ts';
import {
  type ExplainedRecord,
  explainMerge,
  type MergeExplanation,
} from '../../import/operator/explain-merge.ts';
import { numberOf } from '../../lib/guide-id.ts';
import { type Command, UsageError } from '../command.ts';
import { inColumns, plain } from '../terminal.ts';

export const whyMergedCommand: Command = {
  usage: ['why-merged s123 [--json]'],
  summary: 'show the records a station is made of, what joined each, and where its name and place come from',
  async run(args, config) {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { json: { type: 'boolean' } },
    });
    const [id = '', ...more] = positionals;
    const stationId = numberOf('s', id);
    if (stationId === undefined) throw new UsageError('give the station: why-merged s123');
    if (more.length > 0) throw new UsageError(`'${more[0]}' is unexpected; give one station`);
    await using context = openContext(config, { name: 'why-merged' });
    const explained = await explainMerge(context.pool, stationId);
    if (!explained) throw new Error(`there is no station ${id}; Search.ashx?query=NAME finds its id`);
    console.log(values.json === true ? JSON.stringify(explained, undefined, 2) : writeExplanation(explained));
  },
};

function writeExplanation({ station, name, labels, records }: MergeExplanation): string {
  const about = inColumns(labels.map(({ label, value, why }) => [label, plain(value ?? '-'), plain(why)]));
  const count = records.length === 1 ? 'one record' : `${records.length} records`;
  return [plain(`${station} ${name}: ${count}`), about, ...records.map(writeRecord)].join('\n\n');
}

/** What stands in the table for an operator's merge is not a witness. */
const isStored = ({ witness }: ExplainedRecord): boolean => witness !== null && !witness.includes(';');

function writeRecord(record: ExplainedRecord): string {
  const {
    source,
    record: id,
    name,
    country = 'no country',
    homepage = 'no homepage',
    address,
    stream,
  } = record;
  return [
    `${source} ${id}`,
    `    ${name}, ${country}, ${homepage}`,
    `    ${stream} ${address}`,
    `    joined${isStored(record) ? ` by ${record.witness}` : ''}: ${record.why}`,
    ...(record.isDoubtful ? [`    doubtful: ${writeDoubt(record)}`] : []),
  ]
    .map(plain)
    .join('\n');
}

function writeDoubt({ list: { name, compared, right, isTrusted } }: ExplainedRecord): string {
  const score = `${right} of ${compared} names of the list ${name} are right where another list has the address too`;
  const then = isTrusted ? ', which is better than when this record came' : '';
  return `only its address counts, since ${score}${then}, and neither its address nor its homepage speaks for its name`;
}
