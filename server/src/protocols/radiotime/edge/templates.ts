import { chunksOf, compose } from '../../../formats/opml/compile.ts';
import { Fault } from '../../../lib/fault.ts';
import { Exchange } from '../../../net/http/exchange.ts';
import type { Failure } from '../../../net/http/failure.ts';
import { headersOf, type Lifetime, type Reply, respond, textReply } from '../../../net/http/respond.ts';
import type { Protocol } from '../../../net/http/server.ts';
import type { Endpoint, MenuAnswer } from '../call/endpoint.ts';
import { type Params, readParams } from '../call/params.ts';
import type { Render } from '../call/parse-query.ts';
import { menuContentType } from '../call/render.ts';
import { type CallerClass, parseClass } from './caller-class.ts';
import { MENU_PARAMS, NotShared, sharedCall } from './shared-call.ts';
import type { EdgeKey } from './tell-edge.ts';

/** Where the templates are, each under the path of its menu. */
const FOLDER = '/edge';
/** Where a caller's parameters go: a character that neither XML nor JSON can contain. */
const HOLE = '\u0001';

/** How long an edge may keep that there is nothing to share: such calls are passed on, and nothing gets old. */
const NOTHING_SECONDS = 300;

export interface TemplateOptions {
  endpoints: readonly Endpoint[];
  key: EdgeKey;
  /** How long an edge may keep a menu. */
  menuSeconds: number;
}

/**
 * Menus for caches of ours: the answer that every caller of a class gets, with holes where its own parameters go. To
 * anybody else these addresses do not exist.
 */
export const edgeTemplates =
  ({ endpoints, key, menuSeconds }: TemplateOptions): Protocol =>
  ({ app, context, direct }) => {
    for (const { paths, shared } of endpoints) {
      const [path] = paths;
      if (!shared) continue;
      const url = FOLDER + path;
      direct.set(url, (request, response) => {
        if (key.isForTemplate(request.headers))
          new TemplateExchange(context, url, request, response).answer(shared, menuSeconds);
        else app.routing(request, response);
      });
    }
  };

class TemplateExchange extends Exchange<Reply> {
  answer(endpoint: Endpoint, menuSeconds: number): void {
    this.run(() => {
      const { url = '' } = this.request;
      const params = readParams(url.slice(url.indexOf('?') + 1));
      const of = parseClass(params.text('for') ?? '');
      if (!of) throw new Fault(400, undefined, 'No class of callers');
      return this.#find(endpoint, of, menuValues(params), keptFor(menuSeconds));
    });
  }

  async #find(
    { paths: [path], actions, fallback }: Endpoint,
    of: CallerClass,
    values: ReadonlyMap<string, string>,
    lifetime: Lifetime,
  ): Promise<() => Reply> {
    const render = values.get('render')?.toLowerCase() === 'json' ? 'json' : 'xml';
    const call = sharedCall({ path, values, render, of, now: this.context.clock.now() });
    const action = actions.get(values.get('c')?.toLowerCase() ?? '') ?? fallback?.(call);
    const answer = await action?.(call);
    if (!answer || !('menu' in answer)) throw new NotShared(path);
    return () => ({ ...templateOf(answer, render, of.origin), status: 200, lifetime });
  }

  /** Why there is none is told to the caller itself, whose call the edge then passes on. */
  protected override replyTo({ status, message }: Failure, error: unknown): Reply {
    if (status >= 500) return textReply(503, `${message}\n`);
    const isOfPlace = error instanceof NotShared && error.what === 'cell';
    const lifetime = keptFor(NOTHING_SECONDS);
    return isOfPlace
      ? textReply(409, 'Another menu in each cell of the map\n', { lifetime })
      : textReply(404, 'No menu for all\n', { lifetime });
  }

  protected override write(reply: Reply): void {
    respond(this.request, this.response, reply);
  }
}

const keptFor = (maxAgeSeconds: number): Lifetime => ({ maxAgeSeconds, isForAll: true });

function menuValues(params: Params): Map<string, string> {
  const values = new Map<string, string>();
  for (const name of MENU_PARAMS) {
    const value = params.text(name);
    if (value !== undefined) values.set(name, value);
  }
  return values;
}

/** The headers that the caller is to get, a line each, an empty line, and the document with its holes. */
function templateOf(answer: MenuAnswer, render: Render, origin: string): Pick<Reply, 'contentType' | 'body'> {
  const { parts } = chunksOf(compose(render, answer.document(), origin));
  const headers = headersOf({ contentType: menuContentType(render), lifetime: answer });
  const head = headers.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\n`)).join('');
  return { contentType: 'application/octet-stream', body: `${head}\n${parts.join(HOLE)}` };
}
