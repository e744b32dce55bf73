import { createStoreKey, openFromStore, sealForStore, type StoreKey } from '@nolo/e2ee/storeKey';
import { deleteDB, openDB, type IDBPDatabase } from 'idb';

/**
 * Content shared from another app (https://w3c.github.io/web-share-target/): the service worker receives and stores it
 * until the page has asked where to send it. Only one exists at a time. It is sealed under a key of its own, because
 * several accounts or none may be signed in. Signing out deletes both with all other caches and databases.
 */
const cacheName = 'nolo-received';
const databaseName = 'nolo-received';
const keyStore = 'keys';
const detailsPath = '/received/details';
const filePath = (index: number) => `/received/file/${index}`;
/** Maximum files, as many as can be sent at once. */
const maxReceivedFiles = 30;

export interface ReceivedShare {
  readonly words: string;
  readonly files: readonly File[];
}

/** Bytes that are sealed at once, so that a large file is never in memory. */
const partSize = 2 ** 20;
/** Bytes by which a part grows: nonce and tag. */
const sealLength = 28;

interface Details {
  readonly words: string;
  readonly files: readonly { readonly name: string; readonly type: string }[];
}

/** Seals a file in parts. */
export function sealFile(key: StoreKey, file: Blob): ReadableStream<Uint8Array> {
  let from = 0;
  return new ReadableStream({
    async pull(controller) {
      if (from >= file.size) return controller.close();
      const part = new Uint8Array(await file.slice(from, from + partSize).arrayBuffer());
      from += partSize;
      controller.enqueue(await sealForStore(key, part));
    },
  });
}

/** Opens what `sealFile` sealed, in parts of which the browser keeps large ones out of memory. */
export async function openFile(key: StoreKey, sealed: Blob): Promise<Blob[]> {
  const parts: Blob[] = [];
  for (let from = 0; from < sealed.size; from += partSize + sealLength) {
    const part = new Uint8Array(await sealed.slice(from, from + partSize + sealLength).arrayBuffer());
    parts.push(new Blob([await openFromStore(key, part)]));
  }
  return parts;
}

async function withKeys<T>(task: (keys: IDBPDatabase) => Promise<T>): Promise<T> {
  const database = await openDB(databaseName, 1, { upgrade: (created) => void created.createObjectStore(keyStore) });
  try {
    return await task(database);
  } finally {
    database.close();
  }
}

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
  await forgetReceivedShare();
  const created = await createStoreKey();
  const key = await withKeys(async (keys) => {
    await keys.put(keyStore, created, 'key');
    return (await keys.get(keyStore, 'key')) as StoreKey;
  });
  const files = form.getAll('files').filter((file) => file instanceof File);
  const taken = files.slice(0, maxReceivedFiles);
  const details: Details = { words: toShareText(form), files: taken.map(({ name, type }) => ({ name, type })) };
  const cache = await caches.open(cacheName);
  for (const [index, file] of taken.entries()) await cache.put(filePath(index), new Response(sealFile(key, file)));
  const sealed = await sealForStore(key, new TextEncoder().encode(JSON.stringify(details)));
  await cache.put(detailsPath, new Response(sealed));
}

export async function readReceivedShare(): Promise<ReceivedShare | undefined> {
  if (!('caches' in globalThis) || !(await caches.has(cacheName))) return undefined;
  const cache = await caches.open(cacheName);
  const key = (await withKeys((keys) => keys.get(keyStore, 'key'))) as StoreKey | undefined;
  const sealed = await (await cache.match(detailsPath))?.arrayBuffer();
  if (!key || !sealed) return undefined;
  const details = new TextDecoder().decode(await openFromStore(key, new Uint8Array(sealed)));
  const { words, files: described } = JSON.parse(details) as Details;
  const files: File[] = [];
  for (const [index, { name, type }] of described.entries()) {
    const reply = await cache.match(filePath(index));
    if (reply) files.push(new File(await openFile(key, await reply.blob()), name, { type }));
  }
  return words === '' && files.length === 0 ? undefined : { words, files };
}

export async function forgetReceivedShare(): Promise<void> {
  if (!('caches' in globalThis)) return;
  await caches.delete(cacheName);
  await deleteDB(databaseName);
}
