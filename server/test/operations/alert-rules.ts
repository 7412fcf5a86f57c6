import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const CHECKOUT = join(import.meta.dirname, '../../..');
export const PROMETHEUS_FOLDER = join(CHECKOUT, 'deploy/prometheus');
export const RULE_FILES = globSync('*.rules.yml', { cwd: PROMETHEUS_FOLDER }).toSorted();

export interface AlertRule {
  name: string;
  /** Its lines in the file. */
  text: string;
}

const readRules = (): string =>
  RULE_FILES.map((file) => readFileSync(join(PROMETHEUS_FOLDER, file), 'utf8')).join('\n');

export const listAlerts = (): AlertRule[] =>
  readRules()
    .split(/^ {6}- (?=alert: |record: )|^ {2}- name: /m)
    .filter((text) => text.startsWith('alert: '))
    .map((text) => ({ name: /^alert: (\w+)$/m.exec(text)?.[1] ?? '', text }));

/** Names of series that rules record. */
export const listRecorded = (): Set<string> =>
  new Set([...readRules().matchAll(/- record: (\S+)/g)].map(([, name = '']) => name));

/** Expressions of every rule, as Prometheus reads them. */
export const listExpressions = (): string[] =>
  [...readRules().matchAll(/^ {8}expr: (?:>-\n((?: {10,}.*\n)+)|(.*))$/gm)].map(([, folded, line]) =>
    (folded ?? line ?? '').replaceAll(/\s+/g, ' ').trim(),
  );
