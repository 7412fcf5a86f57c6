/** `node server/test/specification/keep-digests.ts`: what the specification says now is what docs/protocol.md was read against. */
import { writeFileSync } from 'node:fs';
import { DIGESTS, digestsOf, readSpecification } from './specification.ts';

writeFileSync(DIGESTS, `${JSON.stringify(digestsOf(readSpecification()), undefined, 2)}\n`);
