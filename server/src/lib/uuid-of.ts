import { hash } from 'node:crypto';

/** A text as 128 bits in the shape PostgreSQL keeps in 16 bytes: equal texts, equal values. Not for secrets. */
export function uuidOf(text: string): string {
  const hex = hash('md5', text, 'hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
