import { openingOf } from '@nolo/client/chat/rowOpening';
import { converse, eventually, randomPhone, signInByPhone, signUpByPhone, type TestUser } from '@nolo/testing';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { DevicesPage } from '../../e2e/pages/DevicesPage.ts';
import { listStoredTexts } from '../../e2e/support/browserStores.ts';
import type { LoadStack } from '../../load/support/loadStack.ts';
import { printLine } from '../../load/support/measure.ts';
import { linkDevice, startFirstDevice, type SealedDevice } from '../../support/clients/sealedDevices.ts';

/** Input of a scenario, which returns what it found wrong. */
export interface TabStage extends Pick<LoadStack, 'url' | 'liftLimits'> {
  readonly kills: number;
  /** Returns a number from 0 inclusive to 1 exclusive. */
  readonly random: () => number;
}

export const waitMs = 120_000;
export const benName = 'Ben Botha';

/** Gives a browser a session of its own of this person. */
export async function signIn(context: BrowserContext, url: string, user: TestUser): Promise<void> {
  await giveSession(context, url, await signInByPhone(url, user.phone));
}

/** Gives a browser this session. */
export async function giveSession(context: BrowserContext, url: string, { api }: TestUser): Promise<void> {
  await context.addCookies([
    { name: 'nolo_session', value: api.token ?? '', url, httpOnly: true, sameSite: 'Lax' },
    { name: 'nolo_signed_in', value: '1', url, sameSite: 'Lax' },
  ]);
}

/** Opens the page of devices in a browser of a person, after `prepare`. */
export async function openBrowser(
  browser: Browser,
  url: string,
  user: TestUser,
  prepare: (context: BrowserContext) => Promise<void> = () => Promise.resolve(),
) {
  const context = await browser.newContext({ baseURL: url, locale: 'en-GB', serviceWorkers: 'block' });
  context.setDefaultTimeout(waitMs);
  await prepare(context);
  await signIn(context, url, user);
  const page = await context.newPage();
  await page.goto('/settings/devices');
  return { context, page, devices: new DevicesPage(page) };
}

/** Creates Ann, who has no device yet, and Ben with a program, in a conversation that Ben looks at. */
export async function createPair(url: string) {
  const ann = await signUpByPhone(url, randomPhone(), 'Ann Adams');
  const ben = await startFirstDevice(await signUpByPhone(url, randomPhone(), benName));
  const id = (await converse(ann, ben.user)).id as string;
  await ben.chats.open(id);
  return { ann, ben, id, address: `/chat/${id}` };
}

/**
 * Links one more device of a person and removes it, so that the next message begins an epoch. At most twice: a phone
 * gets three codes.
 */
export async function endEpoch(of: SealedDevice): Promise<void> {
  const second = await linkDevice(of);
  await of.keys.removeDevices([second.id]);
  second.remove();
}

export interface ReadText {
  readonly text: string;
  readonly state: string | undefined;
}

/** Returns the sealed messages that a browser stores, in their order. */
export const readBrowser = async (page: Page): Promise<ReadText[]> =>
  (await listStoredTexts(page)).filter(({ encryption }) => encryption === 'epochs');

/** Returns the sealed messages that a program shows, in their order. */
export const readDevice = (device: SealedDevice, id: string): ReadText[] =>
  device
    .messages(id)
    .filter(({ encryption }) => encryption === 'epochs')
    .map((message) => ({ text: message.content, state: openingOf(message)?.state }));

/**
 * Waits until every reader has the last text, and compares what they have with what was written.
 *
 * @param expected texts in the order of the server
 * @returns what is wrong, in words
 */
export async function compareReaders(
  what: string,
  expected: readonly string[],
  readers: Readonly<Record<string, () => ReadText[] | Promise<ReadText[]>>>,
): Promise<string[]> {
  const violations: string[] = [];
  for (const [reader, read] of Object.entries(readers)) {
    const isComplete = async () => {
      const texts = new Set((await read()).map(({ text }) => text));
      return expected.every((text) => texts.has(text));
    };
    // The comparison below reports what is still missing then.
    await eventually(isComplete, { timeoutMs: waitMs }).catch(() => undefined);
    const found = await read();
    const texts = found.map(({ text }) => text);
    const lost = expected.filter((text) => !texts.includes(text));
    const repeated = expected.filter((text) => texts.indexOf(text) !== texts.lastIndexOf(text));
    const closed = found.filter(({ state }) => state !== 'open');
    const known = texts.filter((text) => expected.includes(text));
    const isOrdered = lost.length + repeated.length > 0 || known.every((text, index) => text === expected[index]);
    printLine(
      `${what}, ${reader}: ${expected.length} compared, ${lost.length} lost, ${repeated.length} twice, ` +
        `${closed.length} unopenable, ${isOrdered ? 'one order' : 'ANOTHER ORDER'}`,
    );
    violations.push(
      ...lost.map((text) => `${reader} lost "${text}"`),
      ...repeated.map((text) => `${reader} has "${text}" twice`),
      ...closed.map(({ text, state }) => `${reader} has a row that is ${state}: "${text}"`),
      ...(isOrdered ? [] : [`${reader} has another order: ${known.join(', ')}`]),
    );
  }
  return violations;
}
