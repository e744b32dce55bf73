/**
 * Words of a language other than English, which the service worker keeps on devices whose app speaks it: the page says so
 * at every start. All of a version are kept, so that rooms that were never opened speak it without a network too.
 */
const cacheName = 'nolo-words';

export interface KeepWords {
  readonly type: 'keepWords';
  readonly keep: boolean;
}

export const isKeepWords = (data: unknown): data is KeepWords =>
  typeof data === 'object' && data !== null && 'type' in data && data.type === 'keepWords' && 'keep' in data;

const paths = async (cache: Cache): Promise<string[]> => (await cache.keys()).map(({ url }) => new URL(url).pathname);

/** Takes what is not there yet. */
async function take(files: readonly string[]): Promise<void> {
  const cache = await caches.open(cacheName);
  const kept = await paths(cache);
  await cache.addAll(files.filter((file) => !kept.includes(file)));
}

/** Lets go of what was another version's. */
export async function tidyWords(files: readonly string[]): Promise<void> {
  if (!(await caches.has(cacheName))) return;
  const cache = await caches.open(cacheName);
  const others = (await paths(cache)).filter((path) => !files.includes(path));
  await Promise.all(others.map((path) => cache.delete(path)));
}

/** A version that is installed has its words at hand, as it has its scripts, where the one before had them. */
export const takeAlong = async (files: readonly string[]): Promise<void> =>
  (await caches.has(cacheName)) ? take(files) : undefined;

/** Follows what a page says. What cannot be taken now is taken at the next start. */
export async function followPage({ keep }: KeepWords, files: readonly string[]): Promise<void> {
  await (keep ? take(files) : caches.delete(cacheName)).catch(() => undefined);
}

/** Answers with what is kept, or else with the server's. */
export async function answerWords(request: Request): Promise<Response> {
  return (await caches.match(request, { cacheName })) ?? fetch(request);
}
