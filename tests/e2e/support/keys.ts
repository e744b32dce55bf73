import { signInByPhone } from '@nolo/testing';
import type { Page } from 'playwright-core';
import { DevicesPage } from '../pages/DevicesPage.ts';
import type { CastMember } from './cast.ts';
import type { Journey } from './journey.ts';
import { waitUntilVisible } from './waitFor.ts';
import { en, fillPlaceholders } from './words.ts';

const words = en.keys;

/** Returns a function that opens the page of devices in a browser of the person's own, with a session of its own. */
export const deviceOpener =
  ({ openPage, url }: Pick<Journey, 'openPage' | 'url'>) =>
  async ({ user }: CastMember, device: 'desktop' | 'phone' = 'desktop') => {
    const as = await signInByPhone(url(), user.phone);
    const visitor = await openPage({ as, device, path: '/settings/devices' });
    return { ...visitor, devices: new DevicesPage(visitor.page) };
  };

/** Links a device by the numbers that both devices show. */
export async function linkByNumbers(old: DevicesPage, phone: DevicesPage): Promise<void> {
  await phone.beginSetUp('digits');
  await old.reviewRequest();
  await old.dialog.getByRole('button', { name: words.add.answer }).click();
  await old.typeDigits(await phone.digits());
  await phone.typeDigits(await old.digits());
  await phone.finishLink();
  await old.finishLink();
}

/** Opens the dialog that compares keys with the person. Returns the number. */
export async function openNumber(page: Page, name: string, isVerified = false): Promise<string> {
  const label = isVerified ? words.verify.again : fillPlaceholders(words.verify.open, { name });
  await page.getByRole('button', { name: label, exact: true }).click();
  const number = page.locator('[data-safety-number]');
  await waitUntilVisible(number);
  return (await number.textContent()) ?? '';
}

/** Finds the mark of a verified person in the header of the conversation. */
export const findVerifiedMark = (page: Page) =>
  page.locator('header').getByRole('img', { name: words.verify.verified });

/** Empties the storage of keys, as a browser does that needs room. */
export const emptyKeys = (page: Page) => page.evaluate(emptyKeysScript);

export const emptyKeysScript = `indexedDB.databases().then((all) =>
    Promise.all(all.filter(({ name }) => name.startsWith('nolo-keys-')).map(({ name }) => new Promise((resolve) => {
      indexedDB.deleteDatabase(name).onsuccess = resolve;
    }))))`;

/**
 * Script that lists the stored private signing keys, and says if the engine supports Ed25519. A key that the page
 * cannot export is a 'handle'. In other engines keys are stored as bytes, which the script does not list.
 */
export const readSigningKeysScript = `(async () => {
  const hasEngine = await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']).then(() => true, () => false);
  const [{ name }] = (await indexedDB.databases()).filter((one) => one.name.startsWith('nolo-keys-'));
  const read = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const database = await read(indexedDB.open(name));
  const values = await read(database.transaction('values').objectStore('values').getAll());
  database.close();
  const found = new Set();
  const visit = (value) => {
    if (value instanceof CryptoKey) {
      if (value.type === 'private' && value.algorithm.name === 'Ed25519') found.add(value.extractable ? 'open' : 'handle');
    } else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
      Object.values(value).forEach(visit);
    }
  };
  values.forEach(visit);
  return { hasEngine, found: [...found] };
})()`;

/** Answer of the script above. */
export interface SigningKeys {
  readonly hasEngine: boolean;
  readonly found: readonly string[];
}
