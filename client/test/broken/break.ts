import type { Break } from '../small-server.ts';

/** How a server is broken, the checks that must notice, and what is done to its answers. */
export type Broken = [what: string, ids: string, change: Break];

type Replacement = string | ((...found: string[]) => string);

const replaced = (body: string, from: RegExp | string, to: Replacement): string =>
  typeof to === 'string' ? replace(body, from, to) : body.replace(from, to);

const replace = (body: string, from: RegExp | string, to: string): string =>
  typeof from === 'string' ? body.replaceAll(from, to) : body.replace(from, to);

/** In answers to such requests, what is found is replaced. */
export const inBody =
  (path: RegExp, from: RegExp | string, to: Replacement): Break =>
  (sent, url) =>
    path.test(url) ? { ...sent, body: replaced(sent.body, from, to) } : sent;

export const withHeader =
  (name: string, value: string): Break =>
  (sent) => ({ ...sent, headers: { ...sent.headers, [name]: value } });

export const withStatus =
  (path: RegExp, status: number): Break =>
  (sent, url) =>
    path.test(url) ? { ...sent, status } : sent;

/** Requests like these are refused. */
export const refusing = (path: RegExp): Break =>
  inBody(path, '<status>200</status>', '<status>400</status><fault>No</fault>');

/** Requests like these are taken for fine. */
export const lenient = (path: RegExp): Break =>
  inBody(path, /<status>4\d\d<\/status>/g, '<status>200</status>');

export const ANY = /^/;
export const INDEX = /^\/browse\.ashx(?:\?partnerId=kit)?$/i;
export const GENRE = /id=g1/;
export const SCHEDULE = /c=schedule/;
export const STATION = /Browse\.ashx\?id=s1/;
export const shifted: Replacement = (_, time) =>
  `start="${new Date(Date.parse(`${time}Z`) - 50 * 3_600_000).toISOString().slice(0, 19)}"`;
export const START = /start="([^"]*)"/g;
export const fifty = (line: string): string => `${line}\n`.repeat(51).trimEnd();

export const without = (name: string): [RegExp, string] => [new RegExp(` ${name}="[^"]*"`, 'g'), ''];
