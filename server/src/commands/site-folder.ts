import { join } from 'node:path';

/** Where `npm run build -w web` writes the site. */
export const SITE_FOLDER = join(import.meta.dirname, '../../../web/dist');
