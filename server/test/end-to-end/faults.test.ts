import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startService, type Service } from './service.ts';

let service: Service;
before(async () => {
  service = await startService({ PARTNERS: 'registered' });
});
after(() => service[Symbol.asyncDispose]());

/** Every fault that a call can reach by itself; those of load and of a database that is away have tests of their own. */
const FAULTS: [path: string, status: number, code: string, fault: RegExp][] = [
  ['/Browse.ashx?c=nothing', 400, '', /^Invalid root category$/],
  ['/Browse.ashx?c=constructor', 400, '', /^Invalid root category$/],
  ['/Browse.ashx?c=nowhere', 400, '', /^Invalid root category$/],
  ['/Browse.ashx?id=c1', 400, 'id', /^Invalid category$/],
  ['/Browse.ashx?id=local', 400, 'request.idInvalid', /^Invalid ID for browse/],
  ['/Browse.ashx?id=g999999', 400, 'request.idInvalid', /^Invalid ID for browse/],
  ['/Browse.ashx?id=s1&latlon=here', 400, 'request.invalid', /latlon/],
  ['/Browse.ashx?id=s1&id=s2', 400, 'request.invalid', /'id'/],
  ['/Browse.ashx?c=presets&username=ann', 400, 'partner.required', /partnerId/],
  ['/Browse.ashx?c=presets&username=ann&partnerId=nobody', 403, 'partner.invalid', /not registered/],
  ['/Browse.ashx?c=presets&partnerId=kit', 400, 'request.invalid', /username|serial/],
  ['/Browse.ashx?c=schedule', 400, 'request.idInvalid', /./],
  ['/Browse.ashx?c=schedule&id=s2&start=1.2.2026', 400, 'request.invalid', /start/],
  ['/Describe.ashx?c=nothing', 404, 'api.methodNotFound', /^Invalid method/],
  ['/Describe.ashx?id=s26779-5', 400, 'request.idInvalid', /./],
  ['/Tune.ashx?c=nothing', 404, 'api.methodNotFound', /^Invalid method/],
  ['/Tune.ashx?id=g1000&render=xml&c=ebrowse', 404, 'api.methodNotFound', /./],
  ['/Search.ashx', 400, 'request.queryInvalid', /^Empty Query specified/],
  ['/Report.ashx', 404, 'api.methodNotFound', /^Invalid method/],
  ['/Report.ashx?c=stream', 400, 'request.invalid', /'id'.*'url'/],
  ['/Report.ashx?c=stream&id=s1&error=x', 400, 'request.invalid', /'error'/],
  ['/Report.ashx?c=stream&id=s999999999', 400, 'request.idInvalid', /station/],
  ['/Report.ashx?c=wizard', 400, 'request.invalid', /'id'/],
  ['/Report.ashx?c=wizard&id=s1&answer=x', 400, 'request.invalid', /'answer'/],
  ['/Report.ashx?c=timelist&id=s1', 400, 'request.invalid', /'time1'/],
  [
    '/Report.ashx?c=feedback&id=s1',
    400,
    'validation.feedback',
    /^Required parameter 'feedback' not provided$/,
  ],
  ['/Report.ashx?c=feedback&id=s1&text=x&email=x', 400, 'validation.email', /'email'/],
  [
    '/Report.ashx?c=feedback&id=s1&text=www.a%20www.b%20www.c%20www.d',
    500,
    'validation.feedbackRejected',
    /^Feedback rejected/,
  ],
  ['/Nothing.ashx', 404, 'api.methodNotFound', /^Invalid method/],
];

for (const [path, status, code, message] of FAULTS) {
  test(`fault: ${path} is ${status} ${code}`, async () => {
    const response = await fetch(service.origin + path);
    const xml = await response.text();
    const rendered = await fetch(`${service.origin}${path}${path.includes('?') ? '&' : '?'}render=json`);
    const json: { head: Record<string, string>; body: unknown[] } = JSON.parse(await rendered.text());
    assert.equal(response.status, 200);
    assert.match(response.headers.get('cache-control') ?? '', /no-store/);
    assert.match(xml, new RegExp(`<status>${status}</status>`));
    const { fault, ...head } = json.head;
    assert.deepEqual(
      head,
      code === '' ? { status: String(status) } : { status: String(status), fault_code: code },
    );
    assert.match(fault ?? '', message);
    assert.deepEqual(json.body, []);
  });
}
