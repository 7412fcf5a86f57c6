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
  if (request.method !== 'GET') return forgetOnSignOut(event, pathname);
  if (request.mode === 'navigate' && pathname.startsWith(START)) event.respondWith(openPage(request));
  else if (pathname.startsWith('/listen/assets/')) event.respondWith(keptFile(request));
  else if (KEPT_CALLS.includes(pathname)) event.respondWith(lastSeen(request));
});

function forgetOnSignOut(event, pathname) {
  if (/^\/listen\/api\/(?:sign-out|sign-in|register|new-password|me)$/.test(pathname))
    event.waitUntil(caches.delete(MINE));
}

/** The page from the server where it can be had: its word for scripts is in its head, and kept with it. */
async function openPage(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match(START, { cacheName: FILES })) ?? Response.error();
  }
}

/** A file whose name holds its hash is the same for ever: a page or a language that was open once opens again. */
async function keptFile(request) {
  const kept = await caches.match(request, { cacheName: FILES });
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok) {
    const cache = await caches.open(FILES);
    await cache.put(request, response.clone());
  }
  return response;
}

async function lastSeen(request) {
  try {
    const response = await fetch(request);
    const cache = await caches.open(MINE);
    if (response.ok) await cache.put(request, response.clone());
    else if (response.status === 401) await caches.delete(MINE);
    return response;
  } catch {
    return (await caches.match(request, { cacheName: MINE })) ?? Response.error();
  }
}
