/**
 * Texts of a language other than English. The service worker caches them on devices that use the language, as the page
 * reports at every start. It caches all texts of a version, so that rooms that were never opened work offline too.
 */
const cacheName = 'nolo-words';

export interface KeepCataloguesMessage {
  readonly type: 'keepWords';
  readonly keep: boolean;
}

export const isKeepCataloguesMessage = (data: unknown): data is KeepCataloguesMessage =>
  typeof data === 'object' && data !== null && 'type' in data && data.type === 'keepWords' && 'keep' in data;

const paths = async (cache: Cache): Promise<string[]> => (await cache.keys()).map(({ url }) => new URL(url).pathname);

/** Caches missing files. */
async function take(files: readonly string[]): Promise<void> {
  const cache = await caches.open(cacheName);
  const kept = await paths(cache);
  await cache.addAll(files.filter((file) => !kept.includes(file)));
}

/** Deletes the files of other versions. */
export async function dropOldCatalogues(files: readonly string[]): Promise<void> {
  if (!(await caches.has(cacheName))) return;
  const cache = await caches.open(cacheName);
  const others = (await paths(cache)).filter((path) => !files.includes(path));
  await Promise.all(others.map((path) => cache.delete(path)));
}

/** Caches the texts of a newly installed version along with its scripts, if the previous release had cached them. */
export const cacheCatalogues = async (files: readonly string[]): Promise<void> =>
  (await caches.has(cacheName)) ? take(files) : undefined;

/** Applies a page's request. Files that fail to load now are loaded at the next start. */
export async function keepOrDropCatalogues({ keep }: KeepCataloguesMessage, files: readonly string[]): Promise<void> {
  await (keep ? take(files) : caches.delete(cacheName)).catch(() => undefined);
}

/** Returns the cached response, or the server's. */
export async function answerCatalogueRequest(request: Request): Promise<Response> {
  return (await caches.match(request, { cacheName })) ?? fetch(request);
}
