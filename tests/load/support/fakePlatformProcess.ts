/**
 * Simulates a social platform that accepts every post after a while, and records when it was asked and when it had
 * answered.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FakeSocialPlatformPost, FakeSocialPlatformCommand } from './forks.ts';
import { getWallClockMs } from './measure.ts';

let takesMs = 0;
let calls: FakeSocialPlatformPost[] = [];
let wanted = Number.POSITIVE_INFINITY;
let reached: () => void = () => undefined;

/** Implements https://docs.joinmastodon.org/methods/statuses/#create. */
const server = createServer((request, response) => {
  const begun = getWallClockMs();
  void (async () => {
    const { status } = JSON.parse(await readText(request)) as { status: string };
    await sleep(takesMs);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ id: String(calls.length), url: 'https://platform.example/1' }));
    calls.push({ text: status, begun, ended: getWallClockMs() });
    if (calls.length >= wanted) reached();
  })();
});

// Closing a connection just as it is reused would distort the measurement.
server.keepAliveTimeout = 600_000;

async function answer(question: FakeSocialPlatformCommand): Promise<number | FakeSocialPlatformPost[]> {
  if (question.ask === 'listen') {
    takesMs = question.takesMs;
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }
  if (calls.length < question.count) {
    await new Promise<void>((resolve) => {
      wanted = question.count;
      reached = resolve;
      setTimeout(resolve, question.withinMs);
    });
    wanted = Number.POSITIVE_INFINITY;
  }
  const made = calls;
  calls = [];
  return made;
}

process.on('message', (question: FakeSocialPlatformCommand) => {
  answer(question).then(
    (value) => process.send?.({ value }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
