/**
 * Profile pictures that the service worker keeps, in a cache named after the account. The page makes and erases the
 * cache, and where there is none the worker keeps nothing: so no picture outlives a session.
 */
const prefix = 'nolo-pictures-';
/** A picture weighs some 20 kB. */
const mostPictures = 300;

/** From here on the worker keeps this account's pictures. */
export async function keepPictures(userId: string): Promise<void> {
  // Where the browser has no caches, pictures come from the server each time.
  await globalThis.caches?.open(prefix + userId).catch(() => undefined);
}

/** Erases all pictures, or all but those of the account that is signed in. */
export async function erasePictures(keep?: string): Promise<void> {
  const names = (await globalThis.caches?.keys().catch(() => [])) ?? [];
  const others = names.filter((name) => name.startsWith(prefix) && name !== `${prefix}${keep ?? ''}`);
  await Promise.all(others.map((name) => caches.delete(name).catch(() => false)));
}

/** That of the account that is signed in. */
export async function currentCache(): Promise<Cache | undefined> {
  if (!('caches' in globalThis)) return undefined;
  const name = (await caches.keys()).find((one) => one.startsWith(prefix));
  return name === undefined ? undefined : caches.open(name);
}

/** The oldest go first; the addresses never change what they show, so nothing is ever outdated. */
async function trim(cache: Cache): Promise<void> {
  const kept = await cache.keys();
  await Promise.all(kept.slice(0, Math.max(0, kept.length - mostPictures)).map((request) => cache.delete(request)));
}

/** Answers with the picture that was kept, or with the server's, which is then kept. */
export async function answerPicture(request: Request): Promise<Response> {
  // Opened before the server is asked: one that is erased meanwhile takes the picture with it.
  const cache = await currentCache().catch(() => undefined);
  const kept = await cache?.match(request.url);
  if (kept) return kept;
  const reply = await fetch(request);
  if (cache && reply.status === 200 && reply.type === 'basic') {
    const copy = reply.clone();
    // A full storage keeps no picture; it is shown all the same.
    void cache
      .put(request.url, copy)
      .then(() => trim(cache))
      .catch(() => {});
  }
  return reply;
}
