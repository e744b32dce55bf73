/**
 * Measures how soon a payment gateway gets its answer to a notification, while many arrive at once and are processed.
 */
import { randomUUID } from 'node:crypto';
import { measureOnStack, type LoadStack } from './support/loadStack.ts';
import { printTable, printLine } from './support/measure.ts';

const count = Number(process.argv[2] ?? 5_000);
const atOnce = [1, 16, 64];
/** Time limit for answers to gateways. */
const limitMs = 100;

let sent = 0;

async function notify(url: string): Promise<number> {
  const body = `m_payment_id=${randomUUID()}&pf_payment_id=${randomUUID()}&payment_status=COMPLETE&amount_gross=129.00`;
  // Many addresses, because each has a limit per minute.
  sent += 1;
  const from = `10.1.${Math.floor(sent / 250) % 250}.${(sent % 250) + 1}`;
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': from };
  const began = performance.now();
  const reply = await fetch(`${url}/api/payfast/notify`, { method: 'POST', headers, body });
  await reply.arrayBuffer();
  if (reply.status !== 200) throw new Error(`a notification was answered with ${reply.status}`);
  return performance.now() - began;
}

async function measure({ url }: LoadStack): Promise<number> {
  // Warms up connections and the compiler.
  for (let n = 0; n < 200; n += 1) await notify(url);
  let late = 0;
  const rows = [];
  for (const writers of atOnce) {
    const times: number[] = [];
    const began = performance.now();
    const write = async () => {
      while (times.length < count) times.push(await notify(url));
    };
    await Promise.all(Array.from({ length: writers }, write));
    const perSecond = (times.length / (performance.now() - began)) * 1_000;
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.floor(share * (times.length - 1))] ?? 0;
    rows.push([`${writers} at once`, perSecond, at(0.5), at(0.95), at(0.99), at(1)]);
    if (at(0.99) > limitMs) late += 1;
  }
  printTable(['', 'a second', 'p50, ms', 'p95, ms', 'p99, ms', 'longest, ms'], rows);
  printLine(
    `${count} each; ${late === 0 ? `all within ${limitMs} ms at p99` : `p99 above ${limitMs} ms in ${late} of them`}.`,
  );
  return 0;
}

await measureOnStack('Payment notifications', measure, { billing: true, env: { TRUST_PROXY: '1' } });
