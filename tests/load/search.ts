/**
 * Measures message search in Chromium, by the app's own worker: its response time, including messages to and from the
 * page; the size of its index; and the longest task on the page while it grows.
 */
import { launchChromium, randomPhone, signUpByPhone } from '@nolo/testing';
import { findChromium } from '../../scripts/chromium.ts';
import { measureOnStack } from './support/loadStack.ts';
import { describeConditions, median, printTable, quantile, printLine } from './support/measure.ts';
import { generateMixedMessages } from './support/generateMixedMessages.ts';

const count = Number(process.argv[2] ?? 100_000);
const conversations = 120;
const questions = 400;
const targets = { p95Ms: 100, share: 0.3, longestTaskMs: 50 };

process.env['CHROMIUM_PATH'] ??= findChromium();

const written = generateMixedMessages(count);
const textBytes = written.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
const messages = written
  .map(({ text, kind }, place) => ({
    conversationId: `conversation-${Math.floor(conversations ** (((place * 7_919) % 1_000) / 1_000))}`,
    changeSeq: 1,
    senderId: `person-${place % 40}`,
    at: 1_700_000_000_000 + place * 60_000,
    kind,
    text,
    expiresAt: null,
  }))
  .toSorted(
    (a, b) => (a.conversationId < b.conversationId ? -1 : Number(a.conversationId > b.conversationId)) || a.at - b.at,
  );
const lastSeq = new Map<string, number>();
const numbered = messages.map((message) => {
  const seq = (lastSeq.get(message.conversationId) ?? 0) + 1;
  lastSeq.set(message.conversationId, seq);
  return { ...message, seq };
});

/** Queries from existing messages: a word, its beginning, two words, or a word with two letters swapped. */
const queries = Array.from({ length: questions }, (_, place) => {
  const words = (written[(place * 2_477) % count]?.text ?? '').split(/[\s_.]+/);
  const word = words[place % words.length] || 'the';
  if (place % 4 === 0) return word;
  if (place % 4 === 1) return word.slice(0, 3);
  if (place % 4 === 2) return words.slice(0, 2).join(' ');
  return word.length > 4 ? word.slice(0, 2) + (word[3] ?? '') + (word[2] ?? '') + word.slice(4) : word;
});

/** Page script, as a string: sends messages to the worker, queries it, and inspects the disk. */
const prepare = (userId: string) => `
  window.channel = new BroadcastChannel('nolo-search-${userId}');
  window.request = (message, wanted) => new Promise((resolve) => {
    const listen = ({ data }) => {
      if (data.type !== wanted || (message.id && data.id !== message.id)) return;
      channel.removeEventListener('message', listen);
      resolve(data);
    };
    channel.addEventListener('message', listen);
    channel.postMessage(message);
  });
  window.longTasks = [];
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) longTasks.push(entry.duration); })
    .observe({ type: 'longtask' });
  window.frames = [];
  window.watch = (at) => requestAnimationFrame((now) => { frames.push(now - at); watch(now); });
  request({ type: 'hello' }, 'ready').then(() => watch(performance.now()));`;

const measureSize = (userId: string) => `new Promise((resolve, reject) => {
  const opening = indexedDB.open('nolo-search-${userId}');
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const stores = opening.result.transaction(['index', 'blocks']);
    const index = stores.objectStore('index').get('terms');
    const blocks = stores.objectStore('blocks').getAll();
    blocks.onsuccess = () => {
      opening.result.close();
      resolve({ index: index.result?.length ?? 0, blocks: blocks.result.length, fresh: blocks.result.filter((one) => one.fresh).length, known: new Blob([JSON.stringify(blocks.result)]).size });
    };
  };
})`;

await measureOnStack(
  'Searching messages',
  async ({ url }) => {
    const me = await signUpByPhone(url, randomPhone(), 'Ada Adams');
    const browser = await launchChromium();
    const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
    await context.addCookies([
      { name: 'nolo_session', value: me.api.token ?? '', url, httpOnly: true, sameSite: 'Lax' },
      { name: 'nolo_signed_in', value: '1', url, sameSite: 'Lax' },
    ]);
    const page = await context.newPage();
    const open = async () => {
      const worker = page.waitForEvent('worker', { timeout: 120_000 });
      await page.goto('/search');
      await worker;
      await page.evaluate(prepare(me.id));
      await page.waitForFunction('window.frames.length > 0', undefined, { timeout: 120_000 });
    };
    await open();
    await page.evaluate('longTasks.length = 0; frames.length = 0');
    const begun = performance.now();
    for (let from = 0; from < count; from += 2_000) {
      const batch = JSON.stringify(numbered.slice(from, from + 2_000));
      await page.evaluate(`(async () => {
        const part = ${batch};
        for (let at = 0; at < part.length; at += 100) {
          channel.postMessage({ type: 'learn', messages: part.slice(at, at + 100) });
          await new Promise((resolve) => setTimeout(resolve));
        }
        await request({ type: 'askStatus', id: 'after ${from}' }, 'status');
      })()`);
    }
    const grownMs = performance.now() - begun;
    const tasks = await page.evaluate<number[]>('longTasks');
    const frames = await page.evaluate<number[]>('frames');
    // Sending has stopped, so that the rest of the index is written if that is worthwhile.
    await page.waitForTimeout(4_000);
    const size = await page.evaluate<{ index: number; blocks: number; fresh: number; known: number }>(
      measureSize(me.id),
    );

    // State after a restart: the worker's memory contains only the index.
    await open();
    const times: number[] = [];
    let found = 0;
    for (const [place, typed] of queries.entries()) {
      const question = { type: 'ask', id: `question ${place}`, question: { typed, filter: {}, limit: 30 } };
      const answer = await page.evaluate<{ ms: number; found: number }>(`(async () => {
        const begun = performance.now();
        const { answer } = await request(${JSON.stringify(question)}, 'answer');
        return { ms: performance.now() - begun, found: answer.found.length };
      })()`);
      times.push(answer.ms);
      if (answer.found > 0) found += 1;
    }
    await browser.close();
    const share = (size.index + size.known) / textBytes;
    printTable(
      [`${count} messages in ${conversations} conversations`, 'value', 'target'],
      [
        ['answer p50, ms', median(times), ''],
        ['answer p95, ms', quantile(times, 0.95), targets.p95Ms],
        ['slowest answer, ms', Math.max(...times), ''],
        ['queries with a result, of ' + String(questions), found, ''],
        ['text, bytes', textBytes, ''],
        ['index, bytes', size.index, ''],
        ['known block data, bytes of JSON', size.known, ''],
        ['index and block data relative to text', share, targets.share],
        ['time until everything was indexed, s', grownMs / 1_000, ''],
        ['longest task on the page during indexing, ms', Math.max(0, ...tasks), targets.longestTaskMs],
        ['tasks over 50 ms', tasks.length, 0],
        ['frame p95 during indexing, ms', quantile(frames, 0.95), ''],
      ],
    );
    printLine(`${size.fresh} of ${size.blocks} blocks had changed since the index was written.`);
    printLine(describeConditions());
  },
  { web: true },
);
