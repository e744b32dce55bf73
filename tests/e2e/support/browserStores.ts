import type { Message } from '@nolo/api';
import { toMessageContent, type EnvelopeFields } from '@nolo/rules';
import type { BrowserContext, Page } from 'playwright-core';
import { waitForExpectation } from './waitFor.ts';

/* Reads everything that a browser stores for the site. Runs in the page, so it is a string. */
const readStoresScript = `(async () => {
  const databases = {};
  for (const { name } of await indexedDB.databases()) {
    const database = await new Promise((resolve, reject) => {
      const request = indexedDB.open(name);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    // Closes at once, so that reading never blocks an erasure.
    database.onversionchange = () => database.close();
    const stores = (databases[name] = {});
    for (const store of database.objectStoreNames) {
      stores[store] = await new Promise((resolve, reject) => {
        const request = database.transaction(store).objectStore(store).getAll();
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    }
    database.close();
  }
  const cached = {};
  for (const name of await caches.keys()) {
    cached[name] = (await (await caches.open(name)).keys()).map(({ url }) => url);
  }
  return {
    localStorage: { ...localStorage },
    sessionStorage: { ...sessionStorage },
    databases,
    caches: cached,
    cookies: document.cookie,
  };
})()`;

/* Reads the same, and opens values sealed under the key of the account (web/src/chat/storage/storeKey.ts). */
export const readOpenedStoresScript = `(async () => {
  const stores = await ${readStoresScript};
  const accounts = Object.entries(stores.databases).filter(([name]) => name.startsWith('nolo-account-'));
  const key = accounts.flatMap(([, { values }]) => values).find((value) => value instanceof CryptoKey);
  const openText = async (text) => {
    const sealed = Uint8Array.from(atob(text.slice(1).replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
    const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: sealed.slice(0, 12) }, key, sealed.slice(12));
    return new TextDecoder().decode(plain);
  };
  const open = async (value) => {
    if (typeof value === 'string') return key && value.startsWith('\\0') ? openText(value) : value;
    if (Array.isArray(value)) return Promise.all(value.map(open));
    if (value?.constructor !== Object) return value;
    return Object.fromEntries(await Promise.all(Object.entries(value).map(async ([name, one]) => [name, await open(one)])));
  };
  return open(stores);
})()`;

export interface BrowserStores {
  localStorage: Record<string, string>;
  sessionStorage: Record<string, string>;
  databases: Record<string, Record<string, unknown[]>>;
  /** Addresses in each cache. */
  caches: Record<string, string[]>;
  cookies: string;
}

/** Returns everything that the browser of this page stores for the site. */
export async function readBrowserStores(page: Page): Promise<BrowserStores> {
  return await page.evaluate<BrowserStores>(readStoresScript);
}

/** Returns the same with what the device sealed opened. */
async function readOpenedStores(page: Page): Promise<BrowserStores> {
  return await page.evaluate<BrowserStores>(readOpenedStoresScript);
}

/** Returns everything stored as one text, with what the device sealed opened. */
export const readOpenedText = async (page: Page): Promise<string> => JSON.stringify(await readOpenedStores(page));

/** Returns everything stored as one text, to search for a person's traces, including the httpOnly cookies. */
export async function readStoredText(page: Page, context: BrowserContext): Promise<string> {
  const stores = await readBrowserStores(page);
  return JSON.stringify({ stores, cookies: await context.cookies() });
}

/** Waits until the service worker answers this page's requests, as it does from the second page load on. */
export async function waitForServiceWorker(page: Page): Promise<void> {
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  await page.reload();
  await waitForExpectation(async () =>
    expect(await page.evaluate('navigator.serviceWorker.controller !== null')).toBe(true),
  );
}

/** Waits until the device stores messages with these texts. */
export async function waitUntilMessagesStored(page: Page, ...texts: string[]): Promise<void> {
  await waitForExpectation(async () => {
    const { databases } = await readOpenedStores(page);
    const messages = JSON.stringify(Object.values(databases).map((stores) => stores['messages']));
    for (const text of texts) expect(messages).toContain(text);
  });
}

/** Waits until the device stores these people as contacts. */
export async function waitUntilContactsStored(page: Page, ...names: string[]): Promise<void> {
  await waitForExpectation(async () => {
    const { databases } = await readBrowserStores(page);
    const values = JSON.stringify(Object.values(databases).map((stores) => stores['values']));
    for (const name of names) expect(values).toContain(name);
  });
}

/** Returns the texts of the messages waiting on the device, in order. */
export async function listUnsentTexts(page: Page): Promise<string[]> {
  const { databases } = await readOpenedStores(page);
  return Object.values(databases)
    .flatMap((stores) => stores['unsent'] ?? [])
    .map((message) => (JSON.parse((message as { content: string }).content) as { text: string }).text);
}

/** Message as the device stores it, opened by the device's key. Content is still in its envelope. */
type StoredMessage = Message & { readonly opening?: { readonly state: string } };

async function listStored(page: Page): Promise<StoredMessage[]> {
  const { databases } = await readOpenedStores(page);
  return Object.entries(databases)
    .filter(([name]) => name.startsWith('nolo-account-'))
    .flatMap(([, stores]) => (stores['messages'] ?? []).flat()) as StoredMessage[];
}

/** Returns the messages on the device in their order, with the content that its user sees. */
export async function listStoredMessages(page: Page): Promise<Message[]> {
  return (await listStored(page)).map(({ content, ...message }) => ({
    ...message,
    ...toMessageContent(content.startsWith('{') ? (JSON.parse(content) as EnvelopeFields) : { text: content }),
  }));
}

/** Message as the device stores it, opened. */
export interface StoredText {
  readonly seq: number;
  readonly text: string;
  readonly encryption: string;
  /** State of its opening; undefined outside of sealed conversations. */
  readonly state: string | undefined;
}

/** Returns the messages on the device in their order, opened. */
export async function listStoredTexts(page: Page): Promise<StoredText[]> {
  return (await listStored(page)).map(({ seq, content, encryption, opening }) => ({
    seq,
    text: content.startsWith('{') ? (JSON.parse(content) as { text: string }).text : content,
    encryption,
    state: opening?.state,
  }));
}
