import type { Client } from 'pg';

export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Plan Rows': number;
  Plans?: readonly PlanNode[];
}

/** PostgreSQL plans a prepared statement for its parameters, and after a while once for all parameters. */
export const PLANNERS = ['force_custom_plan', 'force_generic_plan'] as const;

/** The plan of a prepared statement; `params` are SQL literals, as they stand between the brackets of EXECUTE. */
export async function explain(
  client: Client,
  name: string,
  params: string,
  planner: (typeof PLANNERS)[number],
): Promise<PlanNode> {
  await client.query(`SET plan_cache_mode = ${planner}`);
  const execute = `EXECUTE ${client.escapeIdentifier(name)}${params === '' ? '' : ` (${params})`}`;
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `EXPLAIN (FORMAT JSON) ${execute}`,
  );
  const [row] = rows;
  if (!row) throw new Error(`EXPLAIN of ${name} gave no plan`);
  return row['QUERY PLAN'][0].Plan;
}

/** Sorting more than a menu's worth of rows means that an index in the right order is missing. */
const MAX_SORTED_ROWS = 1000;
const PARTITION = /_\d\d$/;

/** The table of a node; of a partition, the table it is part of. */
const tableOf = ({ 'Relation Name': relation = '' }: PlanNode): string => relation.replace(PARTITION, '');

export function* walkPlan(node: PlanNode, limited = false): Generator<{ node: PlanNode; limited: boolean }> {
  yield { node, limited };
  const under = limited || node['Node Type'] === 'Limit';
  for (const child of node.Plans ?? []) yield* walkPlan(child, under);
}

/** The partitions that a plan reads. */
export function partitionsOf(plan: PlanNode): string[] {
  const relations = [...walkPlan(plan)].map(({ node }) => node['Relation Name'] ?? '');
  return [...new Set(relations.filter((relation) => PARTITION.test(relation)))];
}

/** What in a plan grows with a table and not with the answer. */
export function findProblems(plan: PlanNode, bigTables: ReadonlySet<string>): string[] {
  const problems = [...walkPlan(plan)].flatMap(({ node, limited }) =>
    bigTables.has(tableOf(node)) ? (wholeRead(node, limited) ?? []) : (longSort(node) ?? []),
  );
  const partitions = partitionsOf(plan);
  if (partitions.length > 1) problems.push(`reads ${partitions.length} partitions`);
  return problems;
}

function wholeRead(node: PlanNode, limited: boolean): string | undefined {
  const { 'Node Type': type, 'Relation Name': table, 'Index Name': index, 'Index Cond': condition } = node;
  if (type === 'Seq Scan') return `reads all of ${table}`;
  const byIndex = type === 'Index Scan' || type === 'Index Only Scan';
  return byIndex && !condition && !limited ? `reads all of ${index}` : undefined;
}

function longSort({ 'Node Type': type, 'Plan Rows': rows }: PlanNode): string | undefined {
  return type.endsWith('Sort') && rows > MAX_SORTED_ROWS ? `sorts ${rows} rows` : undefined;
}
