/**
 * Keeps what the site is made of, so that it opens without a network, and the presets as they were last seen. Everything
 * else is asked for as if this were not here. The build writes in the names of the files.
 */
const VERSION = '__VERSION__';
const SHELL = __SHELL__;
const FILES = `longwave-${VERSION}`;
const MINE = 'longwave-mine';
const START = '/listen/';
/** What presets without a network need; they are a listener's own, and go when the listener signs out. */
const KEPT_CALLS = ['/listen/api/presets', '/listen/api/session'];
/** Whoever is signed in afterwards may be somebody else, or nobody. */
const OTHER_SESSION = /^\/listen\/api\/(?:sign-out|sign-in|register|new-password|me)$/;
/** The service is not there, or ill; 501 is its word that the site was not built. */
const isAway = ({ status }) => status >= 500 && status !== 501;
/** Shorter than the page's own deadline: a network that takes calls and never answers is as good as none. */
const PATIENCE_MS = 6000;

async function keepAll() {
  const cache = await caches.open(FILES);
  await cache.addAll([START, ...SHELL]);
  await self.skipWaiting();
}

async function dropOlder() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith('longwave-') && name !== FILES && name !== MINE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

self.addEventListener('install', (event) => event.waitUntil(keepAll()));
self.addEventListener('activate', (event) => event.waitUntil(dropOlder()));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin) return;
  if (request.method !== 'GET') {
    if (OTHER_SESSION.test(pathname)) event.respondWith(forgetAround(request));
  } else if (request.mode === 'navigate' && pathname.startsWith(START)) event.respondWith(openPage(request));
  else if (pathname.startsWith('/listen/assets/')) event.respondWith(keptFile(request));
  else if (KEPT_CALLS.includes(pathname)) event.respondWith(lastSeen(event));
});

/** A browser may have no room, or keep nothing at all: whatever is asked for is answered all the same. */
const tryTo = (promise) => promise.catch(() => undefined);
const forget = () => tryTo(caches.delete(MINE));

/** Before, for who has no network; and afterwards, for what was asked for meanwhile. */
async function forgetAround(request) {
  await forget();
  try {
    return await fetch(request);
  } finally {
    await forget();
  }
}

/** What the network answers in good time, and what is kept where it does not. Without that, the network has the last word. */
async function orKept(answer, find) {
  const late = new Promise((done) => {
    setTimeout(done, PATIENCE_MS);
  });
  const first = await tryTo(Promise.race([answer, late]));
  if (first && !isAway(first)) return first;
  return (await tryTo(find())) ?? answer;
}

/** The page from the server where it can be had: its word for scripts is in its head, and kept with it. */
const openPage = (request) => orKept(fetch(request), () => caches.match(START, { cacheName: FILES }));

/** A file whose name holds its hash is the same for ever: a page or a language that was open once opens again. */
async function keptFile(request) {
  const kept = await tryTo(caches.match(request, { cacheName: FILES }));
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok) {
    const copy = response.clone();
    await tryTo(caches.open(FILES).then((cache) => cache.put(request, copy)));
  }
  return response;
}

async function lastSeen(event) {
  const { request } = event;
  // Opened before the call is sent: when a session ends meanwhile this one is deleted, and what is put in it found by nobody.
  const cache = await tryTo(caches.open(MINE));
  const answer = fetch(request).then((response) => keep(cache, request, response));
  // An answer that comes too late for the page is kept for the next time.
  event.waitUntil(tryTo(answer));
  return orKept(answer, () => findKept(request));
}

async function keep(cache, request, response) {
  const copy = response.clone();
  if (await isNobodys(response)) {
    await forget();
    if (response.ok) await tryTo(caches.open(MINE).then((empty) => empty.put(request, copy)));
  } else if (cache && response.ok) await tryTo(cache.put(request, copy));
  return response;
}

/** Nobody is signed in any more, whoever ended the session. */
async function isNobodys(response) {
  if (response.status === 401) return true;
  if (!response.ok || !response.url.endsWith('/session')) return false;
  const found = await tryTo(response.clone().json());
  return found?.account === null;
}

/** Says of itself that it is not what the service says now. */
async function findKept(request) {
  const kept = await caches.match(request, { cacheName: MINE });
  return kept && Response.json({ ...(await kept.json()), isKept: true });
}
