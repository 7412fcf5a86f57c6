import { isPlain } from '../../core/streams/player.ts';
import { Fault } from '../../lib/fault.ts';
import { fileEndpoint } from '../../net/http/endpoints/file-endpoint.ts';
import type { Protocol } from '../../net/http/server.ts';
import type { ContentSources } from './content-directory.ts';
import { SAVED_PATH } from './didl.ts';

const MAX_CONCURRENCY = 20;

/** `/saved/u7.mp3`: leads to the address that the household's account saved under that id. */
export const savedAddresses = ({ saved }: Pick<ContentSources, 'saved'>): Protocol =>
  fileEndpoint({
    path: `${SAVED_PATH}*`,
    maxConcurrency: MAX_CONCURRENCY,
    async answer({ file }) {
      const [id = ''] = file.toLowerCase().split('.', 1);
      const item = (await saved())?.flatMap(({ items }) => items).find((each) => each.id === id);
      if (item?.kind !== 'address' || !isPlain(item.address))
        throw new Fault(404, undefined, 'There is no such preset any more');
      const location = item.address.toWellFormed().replaceAll(/[^!-~]+/g, encodeURIComponent);
      return {
        status: 302,
        contentType: 'text/plain; charset=utf-8',
        body: Buffer.alloc(0),
        lifetime: { noStore: true },
        location,
      };
    },
  });
