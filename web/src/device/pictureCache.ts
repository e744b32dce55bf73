/**
 * Profile pictures cached by the service worker, in one cache per account. The page creates and deletes the cache, and
 * without it the worker caches nothing, so no picture outlives a session.
 */
const prefix = 'nolo-pictures-';
/** Maximum cached pictures, of some 20 kB each. */
const maxCachedPictures = 300;

export async function enablePictureCache(userId: string): Promise<void> {
  // Browsers without caches load pictures from the server each time.
  await globalThis.caches?.open(prefix + userId).catch(() => undefined);
}

/** Deletes all pictures, or all except the signed-in account's. */
export async function erasePictures(keep?: string): Promise<void> {
  const names = (await globalThis.caches?.keys().catch(() => [])) ?? [];
  const others = names.filter((name) => name.startsWith(prefix) && name !== `${prefix}${keep ?? ''}`);
  await Promise.all(others.map((name) => caches.delete(name).catch(() => false)));
}

export async function openPictureCache(): Promise<Cache | undefined> {
  if (!('caches' in globalThis)) return undefined;
  const name = (await caches.keys()).find((one) => one.startsWith(prefix));
  return name === undefined ? undefined : caches.open(name);
}

/** Deletes the oldest pictures first. A URL always shows the same picture, so nothing becomes outdated. */
async function trim(cache: Cache): Promise<void> {
  const kept = await cache.keys();
  await Promise.all(
    kept.slice(0, Math.max(0, kept.length - maxCachedPictures)).map((request) => cache.delete(request)),
  );
}

/** Returns the cached picture, or the server's, which is then cached. */
export async function answerPicture(request: Request): Promise<Response> {
  // Opened before the request: if the cache is deleted meanwhile, the picture goes with it.
  const cache = await openPictureCache().catch(() => undefined);
  const kept = await cache?.match(request.url);
  if (kept) return kept;
  const reply = await fetch(request);
  if (cache && reply.status === 200 && reply.type === 'basic') {
    const copy = reply.clone();
    // Full storage means that the picture is shown but not cached.
    void cache
      .put(request.url, copy)
      .then(() => trim(cache))
      .catch(() => {});
  }
  return reply;
}
