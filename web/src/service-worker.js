/**
 * Caches the site's files, so that it opens without a network, and the presets as last seen. Everything else passes
 * through. The build inserts the names of the files.
 */
const VERSION = '__VERSION__';
const SHELL = __SHELL__;
const FILES = `longwave-${VERSION}`;
const MINE = 'longwave-mine';
const START = '/listen/';
/** What presets need without a network; it is the listener's own, and deleted on sign-out. */
const CACHED_CALLS = ['/listen/api/presets', '/listen/api/session'];
/** Whoever is signed in afterwards may be somebody else, or nobody. */
const OTHER_SESSION = /^\/listen\/api\/(?:sign-out|sign-in|register|new-password|me)$/;
/** The service is down or failing; 501 means that the site was not built. */
const isAway = ({ status }) => status >= 500 && status !== 501;
/** Shorter than the page's own deadline: a network that accepts requests and never answers is as good as none. */
const NETWORK_TIMEOUT_MS = 6000;

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
    if (OTHER_SESSION.test(pathname)) event.respondWith(deleteAround(request));
  } else if (request.mode === 'navigate' && pathname.startsWith(START)) event.respondWith(openPage(request));
  else if (pathname.startsWith('/listen/assets/')) event.respondWith(cachedFile(request));
  else if (CACHED_CALLS.includes(pathname)) event.respondWith(lastSeen(event));
});

/** Storage may be full or disabled: requests are answered all the same. */
const tryTo = (promise) => promise.catch(() => undefined);
const deleteMine = () => tryTo(caches.delete(MINE));

/** Before, for listeners without a network; and afterwards, for what was requested meanwhile. */
async function deleteAround(request) {
  await deleteMine();
  try {
    return await fetch(request);
  } finally {
    await deleteMine();
  }
}

/**
 * The network's answer if it comes in time, else the cached one. Without a cached one, the network's failure stands.
 */
async function orCached(answer, find) {
  const late = new Promise((done) => {
    setTimeout(done, NETWORK_TIMEOUT_MS);
  });
  const first = await tryTo(Promise.race([answer, late]));
  if (first && !isAway(first)) return first;
  return (await tryTo(find())) ?? answer;
}

/** The page from the server if possible: the nonce for its scripts is in its head, and cached with it. */
const openPage = (request) => orCached(fetch(request), () => caches.match(START, { cacheName: FILES }));

/** A file with a hash in its name never changes: a page or a language that was opened once opens again. */
async function cachedFile(request) {
  const cached = await tryTo(caches.match(request, { cacheName: FILES }));
  if (cached) return cached;
  const response = await fetch(request);
  if (response.ok) {
    const copy = response.clone();
    await tryTo(caches.open(FILES).then((cache) => cache.put(request, copy)));
  }
  return response;
}

async function lastSeen(event) {
  const { request } = event;
  // Opened before the request is sent: if the session ends meanwhile, this cache is deleted, and later writes go
  // nowhere.
  const cache = await tryTo(caches.open(MINE));
  const answer = fetch(request).then((response) => keep(cache, request, response));
  // An answer that comes too late for the page is cached for the next time.
  event.waitUntil(tryTo(answer));
  return orCached(answer, () => findCached(request));
}

async function keep(cache, request, response) {
  const copy = response.clone();
  if (await isSignedOut(response)) {
    await deleteMine();
    if (response.ok) await tryTo(caches.open(MINE).then((empty) => empty.put(request, copy)));
  } else if (cache && response.ok) await tryTo(cache.put(request, copy));
  return response;
}

/** Nobody is signed in any more, whoever ended the session. */
async function isSignedOut(response) {
  if (response.status === 401) return true;
  if (!response.ok || !response.url.endsWith('/session')) return false;
  const found = await tryTo(response.clone().json());
  return found?.account === null;
}

/** Marks the answer as cached. */
async function findCached(request) {
  const cached = await caches.match(request, { cacheName: MINE });
  return cached && Response.json({ ...(await cached.json()), isKept: true });
}
