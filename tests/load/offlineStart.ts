/** Measures from the address to the conversation on the screen, offline, with the device's stored data, in Chromium. */
import { converse, eventually, launchChromium, messageTo, randomPhone, signUpByPhone } from '@nolo/testing';
import { findChromium } from '../../scripts/chromium.ts';
import { measureOnStack } from './support/loadStack.ts';
import { describeConditions, median, printTable, quantile, printLine } from './support/measure.ts';

const rounds = Number(process.argv[2] ?? 20);
const conversations = 50;
const messagesOf = { first: 200, others: 4 };

process.env['CHROMIUM_PATH'] ??= findChromium();

/**
 * Measured in the page's own time, so that driving the browser is not included. A string, because it runs in the page.
 */
const whenShown = `new Promise((resolve) => {
  const shown = () => {
    if (!document.body.innerText.includes('The newest words')) return requestAnimationFrame(shown);
    // Measured after the frame that shows it.
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
  };
  shown();
})`;

/** Counts the conversations whose messages the device stores; runs in the page. */
const keptConversations = `(async () => {
  const [database] = await indexedDB.databases();
  if (database === undefined) return 0;
  const opened = await new Promise((resolve, reject) => {
    const opening = indexedDB.open(database.name);
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  try {
    return await new Promise((resolve, reject) => {
      const counting = opened.transaction('messages').objectStore('messages').count();
      counting.onsuccess = () => resolve(counting.result);
      counting.onerror = () => reject(counting.error);
    });
  } finally {
    opened.close();
  }
})()`;

await measureOnStack(
  'Starting without a network',
  async ({ url, liftLimits }) => {
    const me = await signUpByPhone(url, randomPhone(), 'Ada Adams');
    const lifted = await liftLimits([me.id]);
    let first = '';
    for (let index = 0; index < conversations; index += 1) {
      const other = await signUpByPhone(url, randomPhone(), `Ben Botha ${index}`);
      const id = (await converse(me, other)).id as string;
      first = id;
      const count = index === conversations - 1 ? messagesOf.first : messagesOf.others;
      for (let n = 1; n < count; n += 1) await me.api.post('/api/messages', messageTo(id, `Words number ${n}`));
      await me.api.post('/api/messages', messageTo(id, 'The newest words'));
    }
    const browser = await launchChromium();
    const context = await browser.newContext({ baseURL: url, viewport: { width: 390, height: 844 }, locale: 'en-GB' });
    await context.addCookies([
      { name: 'nolo_session', value: me.api.token ?? '', url, httpOnly: true, sameSite: 'Lax' },
      { name: 'nolo_signed_in', value: '1', url, sameSite: 'Lax' },
    ]);
    const page = await context.newPage();
    await page.goto(`/chat/${first}`);
    await page.evaluate(whenShown);
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    // The worker serves the second page load, and by then the device has stored what it stores when idle.
    await page.reload();
    await page.evaluate(whenShown);
    await eventually(async () => (await page.evaluate<number>(keptConversations)) >= conversations, {
      timeoutMs: 60_000,
    });
    await context.setOffline(true);
    const measure = async (path: string, from: string) => {
      const times: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        // Tearing down the previous page is not part of a start.
        await page.goto(from);
        await page.goto(path);
        times.push(await page.evaluate<number>(whenShown));
      }
      return times;
    };
    const rows: [string, number[]][] = [];
    // The app's icon opens in the process that already ran the app; an empty page does not.
    for (const [from, where] of [
      ['/icon.svg', 'in a browser process that ran it before'],
      ['about:blank', 'in a new browser process'],
    ] as const) {
      rows.push([`the chat list, ${where}`, await measure('/', from)]);
      rows.push([`a conversation of 200 messages, ${where}`, await measure(`/chat/${first}`, from)]);
    }
    await browser.close();
    await lifted();
    printTable(
      ['opened without a network', 'p50 ms', 'p95 ms', 'max ms'],
      rows.map(([what, times]) => [what, median(times), quantile(times, 0.95), Math.max(...times)]),
    );
    printLine(
      `${rounds} starts each, ${conversations} conversations on the device; from the navigation to the frame that shows the text.`,
    );
    printLine(describeConditions());
  },
  { web: true },
);
