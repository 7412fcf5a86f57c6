import type { Endpoint } from '../http/endpoint.ts';
import { Fault } from '../lib/fault.ts';

/**
 * Stations that play artists a listener likes (`a[0]`, `a[1]` …). Nobody here knows yet which station plays whom, so
 * that the answer to a proper question is that there are none.
 */
export function recommend(): Endpoint {
  return {
    paths: ['/Recommend.ashx'],
    actions: new Map([
      [
        '',
        ({ params }) => {
          if (params.has('a[0]')) return { outlines: [] };
          throw new Fault(400, 'request.invalid', "Required parameter 'a[0]' not provided: name an artist");
        },
      ],
    ]),
  };
}
