/**
 * Content shared from another app (https://w3c.github.io/web-share-target/): the service worker receives and stores it
 * until the page has asked where to send it. Only one exists at a time. Signing out deletes it with all other caches.
 */
const cacheName = 'nolo-received';
const wordsPath = '/received/words';
const filePath = (index: number) => `/received/file/${index}`;
/** Maximum files, as many as can be sent at once. */
const maxReceivedFiles = 30;

/** Path that other apps post to, and path where the page asks what to do with it. Both are in the manifest. */
export const shareTargetPath = '/share-target';
export const receivedPath = '/received';

export interface ReceivedShare {
  readonly words: string;
  readonly files: readonly File[];
}

const nameHeader = 'x-file-name';

/**
 * Joins title, text, and URL without repetition: title and text are often equal, and many apps put the link in the
 * text.
 */
export function toShareText(form: Pick<FormData, 'get'>): string {
  const texts = ['title', 'text', 'url'].flatMap((name) => {
    const value = form.get(name);
    return typeof value === 'string' && value.trim() !== '' ? [value.trim()] : [];
  });
  return texts
    .filter((text, index) => !texts.some((other, at) => at !== index && isContainedIn(text, index, other, at)))
    .join('\n');
}

const isContainedIn = (text: string, index: number, other: string, at: number): boolean =>
  text === other ? at < index : other.includes(text);

/** Replaces any previous content. */
export async function storeReceivedShare(form: FormData): Promise<void> {
  await caches.delete(cacheName);
  const cache = await caches.open(cacheName);
  await cache.put(wordsPath, new Response(toShareText(form)));
  const files = form.getAll('files').filter((file) => file instanceof File);
  for (const [index, file] of files.slice(0, maxReceivedFiles).entries()) {
    const headers = { 'content-type': file.type, [nameHeader]: encodeURIComponent(file.name) };
    await cache.put(filePath(index), new Response(file, { headers }));
  }
}

export async function readReceivedShare(): Promise<ReceivedShare | undefined> {
  if (!('caches' in globalThis) || !(await caches.has(cacheName))) return undefined;
  const cache = await caches.open(cacheName);
  const words = (await (await cache.match(wordsPath))?.text()) ?? '';
  const files: File[] = [];
  for (let index = 0; index < maxReceivedFiles; index += 1) {
    const reply = await cache.match(filePath(index));
    if (!reply) break;
    const name = decodeURIComponent(reply.headers.get(nameHeader) ?? '');
    files.push(new File([await reply.blob()], name, { type: reply.headers.get('content-type') ?? '' }));
  }
  return words === '' && files.length === 0 ? undefined : { words, files };
}

export async function forgetReceivedShare(): Promise<void> {
  if ('caches' in globalThis) await caches.delete(cacheName);
}
