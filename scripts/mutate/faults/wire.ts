import type { PlantedFault } from '../fault.ts';

const OPML = [
  'server/src/{formats/opml,protocols/radiotime/outlines}/**/*.test.ts',
  'server/test/end-to-end/rules.test.ts',
];

/** The wire format, the transport below it, and the fetcher. */
export const WIRE: readonly PlantedFault[] = [
  {
    file: 'formats/opml/document.ts',
    find: "child.type !== 'text' && isShown(child)",
    replace: 'isShown(child)',
    fault: 'a text stands inside a group, where radios crash on it',
    tests: OPML,
  },
  {
    file: 'formats/opml/links.ts',
    find: 'fragment === -1 ? `${address}?`',
    replace: 'fragment === -1 ? address',
    fault: 'an address has no ?, where radios cut it',
    tests: OPML,
  },
  {
    file: 'core/accounts/presets/preset-rules.ts',
    find: ' && trimmed.length <= MAX_ADDRESS_LENGTH',
    replace: '',
    fault: 'an address of any length is saved',
    tests: ['server/src/core/accounts/presets/preset-rules.test.ts'],
  },
  {
    file: 'formats/opml/write-json.ts',
    find: "children.length > 0 || outline.type === 'container'",
    replace: 'children.length > 0',
    fault: 'an empty container has no children in JSON',
    tests: [
      'server/src/{formats/opml,protocols/radiotime/outlines,protocols/radiotime/browse}/**/*.test.ts',
      'server/test/end-to-end/rules.test.ts',
    ],
  },
  {
    file: 'formats/opml/attributes.ts',
    find: 'TAKEN.has(name) || seen.has(name) || ',
    replace: '',
    fault: 'an attribute stands twice',
    tests: OPML,
  },
  {
    file: 'formats/opml/outlines.ts',
    find: '!frequency || name.includes(frequency)',
    replace: '!frequency',
    fault: 'a frequency is said twice',
    tests: ['server/src/{formats/opml,protocols/radiotime/outlines,protocols/radiotime/browse}/**/*.test.ts'],
  },
  {
    file: 'protocols/radiotime/call/params.ts',
    find: 'if (count > HTTP_LIMITS.maxParams) throw',
    replace: 'if (false) throw',
    fault: 'a call may have any number of parameters',
  },
  {
    file: 'net/http/caller/addresses.ts',
    find: 'hop !== undefined && isPublicAddress(hop)',
    replace: 'hop !== undefined',
    fault: 'a caller behind a proxy stands at a private address',
  },
  {
    file: 'net/http/caller/origin.ts',
    find: 'host !== undefined && publicHosts.includes(host) ? host : first',
    replace: 'host ?? first',
    fault: 'a stranger chooses where links lead',
  },
  {
    file: 'protocols/radiotime/call/hot-answers.ts',
    find: 'origin !== peer.origin || ',
    replace: '',
    fault: 'links lead to the host that another caller named',
  },
  {
    file: 'protocols/radiotime/call/hot-answers.ts',
    find: "acceptLanguage !== headers['accept-language']",
    replace: 'false',
    fault: 'a menu comes in the language of whoever asked first',
  },
  {
    file: 'protocols/radiotime/call/hot-answers.ts',
    find: 'if (!watch.isCurrent() || watch.isSame?.() === false)',
    replace: 'if (watch.isSame?.() === false)',
    fault: 'a page goes on as it was when the directory has changed',
  },
  {
    file: 'protocols/radiotime/call/hot-answers.ts',
    find: '    if (!hot.savesNothing(serialKey)) return false;\n',
    replace: '',
    fault: 'what a device has saved is not marked',
  },
  {
    file: 'protocols/radiotime/browse/request.ts',
    find: 'new WeakRef(snapshot)',
    replace: '{ deref: () => snapshot }',
    fault: 'every directory that was ever loaded stays in memory',
    tests: ['server/src/protocols/radiotime/call/hot-answers.test.ts'],
  },
  {
    file: 'formats/opml/layout.ts',
    find: 'if (this.#form?.suffixLength === suffixLength) return this.#form;',
    replace: 'if (this.#form) return this.#form;',
    fault: 'links of a kept menu are cut by the length of another serial',
    tests: ['server/src/protocols/radiotime/call/menu-cache.test.ts'],
  },
  {
    file: 'core/i18n/locale.ts',
    find: 'mostWanted(acceptLanguage, isSpoken) ?? mostWanted(acceptLanguage, isNamed)',
    replace: 'mostWanted(acceptLanguage, isNamed)',
    fault: 'a language that we do not speak is chosen over one that we do',
  },
  {
    file: 'net/http/endpoints/event-endpoint.ts',
    find: '>= this.#limits.mostOfAddress',
    replace: '>= Infinity',
    fault: 'one address holds every place for live titles',
  },
  {
    file: 'net/http/respond.ts',
    find: "if (status !== NOT_MODIFIED) headers.push('Content-Length'",
    replace: "if (false) headers.push('Content-Length'",
    fault: 'an answer has no length',
  },
  {
    file: 'net/http/to-site.ts',
    find: "request.url !== '/' || !isNavigation(request)",
    replace: "request.url !== '/'",
    fault: 'a radio that asks for / is sent to the site',
    tests: [
      'server/src/{net/http,protocols/radiotime/call}/**/*.test.ts',
      'server/test/end-to-end/rules.test.ts',
    ],
  },
  {
    file: 'lib/token-buckets.ts',
    find: 'bucket.tokens = refilled > burst ? burst : refilled;',
    replace: 'bucket.tokens = refilled;',
    fault: 'a quiet night saves up calls for a flood',
  },
  {
    file: 'storage/cache/read-through.ts',
    find: 'if (entry && ageMs < freshMs) return entry.value;',
    replace: 'if (entry) return entry.value;',
    fault: 'what was read once is never read again',
  },
  {
    file: 'core/places/address-file.ts',
    find: 'latitude === 0 && longitude === 0 ? undefined : ',
    replace: '',
    fault: 'an unknown place is off the coast of Africa',
  },
  {
    file: 'core/devices/profiles.ts',
    find: 'text.length <= length || ',
    replace: '',
    fault: 'a device is known by the shorter of two names',
  },
  {
    file: 'core/devices/serial-memory.ts',
    find: 'if (this.#known.size <= this.#most) return;',
    replace: 'return;',
    fault: 'the memory of devices grows for ever',
  },
  {
    file: 'core/i18n/names.ts',
    find: 'name.charAt(0).toLocaleUpperCase(language) + name.slice(1)',
    replace: 'name',
    fault: 'languages are named in small letters',
  },
  {
    file: 'lib/public-address.ts',
    find: "if (address.range() !== 'unicast') return undefined;",
    replace: '',
    fault: 'addresses inside the house are fetched',
    tests: [
      'server/src/{lib,net/fetch,net/http,protocols/radiotime/call,protocols/site/session}/**/*.test.ts',
      'server/test/drills/attacks/ssrf.test.ts',
    ],
  },
  {
    file: 'net/fetch/policy.ts',
    find: 'OTHER_SERVICES.has(port) || ',
    replace: '',
    fault: 'a station leads us to a mail server',
    tests: ['server/src/{lib,net/fetch}/**/*.test.ts', 'server/test/drills/attacks/ssrf.test.ts'],
  },
  {
    file: 'net/fetch/ask.ts',
    find: 'if (length > this.#most) return done(tooLarge(this.#most));',
    replace: '',
    fault: 'an answer without an end fills the memory',
    tests: [
      'server/src/{lib,net/fetch}/**/*.test.ts',
      'server/test/drills/attacks/hostile-upstreams.test.ts',
    ],
  },
  {
    file: 'lib/parse-json.ts',
    find: 'if (levels > MAX_LEVELS) return true;',
    replace: '',
    fault: 'deep JSON ends the process',
    tests: ['server/src/{lib,net/fetch}/**/*.test.ts'],
  },
  {
    file: 'lib/geo.ts',
    find: 'Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180',
    replace: 'Math.abs(latitude) <= 180 && Math.abs(longitude) <= 180',
    fault: 'a latitude of 120 is a place',
    tests: [
      'server/src/{lib,net/fetch,net/http,protocols/radiotime/call,protocols/site/session}/**/*.test.ts',
    ],
  },
];
