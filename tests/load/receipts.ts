/** Measures the CPU of a message to a group of 500, and of its read receipts from all members. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Headless } from '@nolo/testing';
import { readAllCpuMs } from './support/readAllCpuMs.ts';
import { forkGroupMembers } from './support/forks.ts';
import { measureOnStack, type LoadStack } from './support/loadStack.ts';
import { printTable, printLine } from './support/measure.ts';
import { createLoadPeople } from './support/people.ts';

const members = 500;
const rounds = Number(process.argv[2] ?? 20);
/** Time within which people read a message, in milliseconds. */
const withinMs = 2_000;
/** Time for what an acknowledged cursor still causes: frames to authors and to the user's own devices. */
const restMs = 1_000;

const sum = (cpu: Record<string, number>) => Object.values(cpu).reduce((all, one) => all + one, 0);

async function measure(stack: LoadStack): Promise<void> {
  const people = await createLoadPeople(stack, members);
  const [owner, ...others] = people;
  const caller = new Headless(stack.url, owner?.tokens[0] ?? '');
  const memberIds = others.map(({ id }) => id);
  const { body } = await caller.call('POST', '/api/groups', { name: 'Everybody', memberIds });
  const group = body as { id: string; memberCount: number };
  if (group.memberCount !== members) throw new Error(`The group has ${group.memberCount} members.`);

  const sockets = forkGroupMembers();
  const url = `${stack.url.replace('http', 'ws').replace('localhost', '127.0.0.1')}/ws`;
  const wanted = people.map(({ tokens }) => ({ token: tokens[0] ?? '', localAddress: '127.0.0.1' }));
  await sockets.ask({ ask: 'open', url, sockets: wanted, atOnce: 20 });

  const cost = {
    message: {} as Record<string, number>,
    receipts: {} as Record<string, number>,
    idle: {} as Record<string, number>,
  };
  const during = async (what: Record<string, number>, work: () => Promise<unknown>) => {
    const before = readAllCpuMs(stack, {});
    await work();
    for (const [name, value] of Object.entries(readAllCpuMs(stack, {}))) {
      what[name] = (what[name] ?? 0) + value - (before[name] ?? 0);
    }
  };
  const round = async () => {
    let seq = 0;
    await during(cost.message, async () => {
      const content = { conversationId: group.id, content: 'x'.repeat(120), clientMessageId: randomUUID() };
      const sent = await caller.call('POST', '/api/messages', content);
      ({ seq } = sent.body as { seq: number });
      await sockets.ask({ ask: 'arrivals', count: 1, withinMs: 30_000 });
      await sleep(restMs);
    });
    await during(cost.receipts, async () => {
      await sockets.ask({ ask: 'read', conversationId: group.id, readSeq: seq, withinMs });
      await sleep(restMs);
    });
    await during(cost.idle, () => sleep(restMs + withinMs));
  };
  await round();
  for (const what of Object.values(cost)) for (const name of Object.keys(what)) what[name] = 0;
  for (let index = 0; index < rounds; index += 1) await round();

  // Idle cost applies to a third of the time for the message, and to all of it for the cursors.
  const names = Object.keys(cost.message);
  const message = names.map((name) => ((cost.message[name] ?? 0) - (cost.idle[name] ?? 0) / 3) / rounds);
  const receipts = names.map((name) => ((cost.receipts[name] ?? 0) - (cost.idle[name] ?? 0)) / rounds);
  printTable(
    ['CPU', 'ms for the message', `ms for ${members} read cursors`],
    names.map((name, index) => [name, message[index] ?? 0, receipts[index] ?? 0]),
  );
  const total = {
    message: sum(Object.fromEntries(message.entries())),
    receipts: sum(Object.fromEntries(receipts.entries())),
  };
  printLine(
    `A message to ${members}: ${total.message.toFixed(1)} ms of CPU; ${members} read cursors within ${withinMs / 1000} s: ${total.receipts.toFixed(1)} ms, ${(total.receipts / total.message).toFixed(1)} times the message (${rounds} rounds).`,
  );
  sockets.stop();
  caller.close();
}

await measureOnStack(`Receipts of a group of ${members}`, measure);
