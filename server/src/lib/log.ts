import { type Logger, pino } from 'pino';
import { LogOutput } from './log-output.ts';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export type Log = Logger;

export interface LogOptions {
  level: LogLevel;
  /** Standard output by default. */
  sink?: { write(line: string): void };
}

/**
 * One JSON object per line. Callers log selected fields, never a URL, a query or a body; the scrubber is the last
 * defence against secrets in a message or a stack.
 */
export function createLog({ level, sink }: LogOptions): Log {
  const log: Log = pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (value) => (value instanceof Error ? errorFields(value) : value) },
      hooks: { streamWrite: scrub },
    },
    sink ??
      new LogOutput((lines) => log.warn({ lines }, 'lines were lost while the log could not be written')),
  );
  return log;
}

const MASK = '***';
const SECRET_NAME = '(?:passw(?:or)?d|pwd|secret|token|serial|e-?mail|user_?name|partnerkey)';
const SECRETS = new RegExp(SECRET_NAME, 'i');
/** `password=x`, `"password":"x"` (also escaped inside a string) and PostgreSQL's `Key (password)=(x)`. */
const ASSIGNED = new RegExp(String.raw`(${SECRET_NAME})(=|%3D|\\*"?\s?:\s?\\*"|\)=\()[^&\s"'\\)]+`, 'gi');
const USERINFO = /(:\/\/)[^\s/@"]{1,256}@/g;
/** An `@` followed by a domain. */
const AT = /(?:@|%40)(?=[\w-]{1,63}\.)/g;
const LOCAL_END = /[\w.+%-]{1,64}$/;
const DOMAIN = /[\w-]{1,63}(?:\.[\w-]{1,63})+/y;

/** Removes the values of secret-looking parameters, e-mail addresses, and credentials inside URLs. */
export function scrub(line: string): string {
  let clean = line;
  if (SECRETS.test(clean)) clean = clean.replace(ASSIGNED, `$1$2${MASK}`);
  if (clean.includes('@')) clean = clean.replace(USERINFO, `$1${MASK}@`);
  if (clean.includes('@') || clean.includes('%40')) clean = withoutEmails(clean);
  return clean;
}

/** Scans from one `@` to the next: a regular expression tried at each letter reads a line of `%40` some sixty times. */
function withoutEmails(line: string): string {
  let clean = '';
  let from = 0;
  for (const { index, 0: sign } of line.matchAll(AT)) {
    if (index < from) continue;
    DOMAIN.lastIndex = index + sign.length;
    const domain = DOMAIN.exec(line)?.[0];
    const local = domain && LOCAL_END.exec(line.slice(Math.max(from, index - 64), index))?.[0];
    if (!domain || !local) continue;
    clean += `${line.slice(from, index - local.length)}${MASK}`;
    from = index + sign.length + domain.length;
  }
  return clean + line.slice(from);
}

/** Masks the given values, for errors whose message may quote the caller's input. */
export function withoutValues(text: string, values: Iterable<string>): string {
  let clean = text;
  for (const value of values) {
    // Shorter values would shred the text: a stack with every `1` masked is useless.
    if (value.length >= 3) clean = clean.replaceAll(value, MASK);
  }
  return clean;
}

export interface ErrorFields {
  type: string;
  message: string;
  code?: string;
  stack?: string;
  cause?: ErrorFields;
}

/**
 * The fields of an error that may be logged, with the given secrets masked. Other properties are left out: database
 * drivers attach whole rows and parameters.
 */
export function errorFields(error: unknown, secrets: readonly string[] = [], depth = 0): ErrorFields {
  if (!(error instanceof Error))
    return { type: typeof error, message: withoutValues(String(error), secrets) };
  const code = 'code' in error ? error.code : undefined;
  return {
    type: error.name,
    message: withoutValues(error.message, secrets),
    ...(typeof code === 'string' && { code }),
    ...(error.stack !== undefined && { stack: withoutValues(error.stack, secrets) }),
    ...(error.cause !== undefined && depth < 3 && { cause: errorFields(error.cause, secrets, depth + 1) }),
  };
}
