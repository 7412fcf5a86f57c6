/** Asks Debian's node-tunein as its description says: the index first, then a category and a genre, then a search. */
import { createRequire } from 'node:module';

const [, , module = '', genre = '', query = ''] = process.argv;
const TuneIn = createRequire(import.meta.url)(module);

// It prints on every call; the answers are to be the only line.
console.log = () => undefined;
const tunein = new TuneIn();
const answers = {
  index: await tunein.browse(),
  music: await tunein.browse('music'),
  genre: await tunein.browse(genre),
  found: await tunein.search(query),
  keys: tunein.getKeys(),
};
process.stdout.write(JSON.stringify(answers));
