import { openPictureCache } from './pictureCache.ts';

export async function measurePictures(): Promise<number> {
  const cache = await openPictureCache().catch(() => undefined);
  const replies = (await cache?.matchAll()) ?? [];
  const sizes = await Promise.all(replies.map(async (reply) => (await reply.blob()).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Deletes the cached pictures. The cache remains, so those shown from now on are cached again. */
export async function forgetPictures(): Promise<void> {
  const cache = await openPictureCache().catch(() => undefined);
  if (cache === undefined) return;
  const kept = await cache.keys();
  await Promise.all(kept.map((request) => cache.delete(request)));
}
