import type { Message } from '@nolo/api';
import { emptyTimeline, type PendingMessage, type Timeline } from '../engine/timeline.ts';
import { messagesOf, mostShown, partAround, partWithNewer, partWithOlder, stepShown, type Part } from './shownPart.ts';
import { follow, nothingYet } from './useShownPart.ts';

const run = (from: number, to: number): Message[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ id: `m${from + index}`, seq: from + index }) as Message);
const ends = (part: Part, messages: readonly Message[]) => {
  const shown = messagesOf(part, messages);
  return [shown[0]?.seq, shown.at(-1)?.seq];
};

describe('the part of the loaded messages that a list holds', () => {
  const all = run(1, 10_000);

  test('is the newest ones, or what lies around the message that somebody goes to', () => {
    expect(ends(partAround(all, undefined), all)).toEqual([9_601, 10_000]);
    expect(partAround(all, undefined).to).toBeNull();
    expect(ends(partAround(all, 5_000), all)).toEqual([4_800, 5_199]);
    expect(ends(partAround(all, 3), all)).toEqual([1, 400]);
    expect(partAround(all, 9_990).to).toBeNull();
    expect(partAround(run(51, 100), 60)).toEqual({ from: 51, to: null });
  });

  test('reads on upwards with never more than a list can bear, and down again', () => {
    let part = partAround(all, undefined);
    for (let page = 0; page < 300; page += 1) {
      const [before] = ends(part, all);
      part = partWithOlder(part, all);
      expect(ends(part, all)[0]).toBe(Math.max(1, (before ?? 0) - stepShown));
      expect(messagesOf(part, all).length).toBeLessThanOrEqual(mostShown);
    }
    expect(ends(part, all)).toEqual([1, mostShown]);
    expect(partWithOlder(part, all)).toBe(part);
    for (let page = 0; page < 300; page += 1) {
      part = partWithNewer(part, all);
      expect(ends(part, all)[0]).toBe(1);
    }
    expect(part).toEqual({ from: 1, to: null });
    expect(partWithNewer(part, all)).toBe(part);
    // Messages read downwards are released when older messages arrive.
    expect(ends(partWithOlder({ from: 2_001, to: null }, all), all)).toEqual([1_951, 2_350]);
  });

  test('takes what comes at its end', () => {
    expect(ends(partAround(all, undefined), run(1, 10_100))).toEqual([9_601, 10_100]);
  });
});

describe('what a list shows when the loaded messages change', () => {
  const timeline = (messages: readonly Message[], pending: readonly PendingMessage[] = []): Timeline => ({
    ...emptyTimeline(0, 0),
    status: 'ready',
    messages,
    pending,
  });
  const all = run(1_001, 2_000);
  const newest = follow(nothingYet, timeline(all), undefined);
  const past = { ...newest, part: { from: 1_001, to: 1_400 }, shown: all.slice(0, 400) };

  test('an older page changes nothing until the list asks for it, and then nothing that it had', () => {
    const longer = [...run(951, 1_000), ...all];
    const after = follow(newest, timeline(longer), undefined);
    expect(after.shown).toBe(newest.shown);
    expect(after.run).toBe(newest.run);
    const shown = messagesOf(partWithOlder(partAround(longer.slice(0, 100), undefined), longer), longer);
    expect(shown.slice(50)[0]).toBe(all[0]);
  });

  test('what comes live stands at the end of it, unless it ends before', () => {
    const fresh = timeline([...all, ...run(2_001, 2_001)]);
    expect(follow(newest, fresh, undefined).shown.at(-1)?.seq).toBe(2_001);
    expect(follow(past, fresh, undefined).shown).toBe(past.shown);
    expect(follow(past, fresh, undefined).run).toBe(past.run);
  });

  test('another run of messages, or a message that is not in it, begins a new list', () => {
    const reset = follow(newest, timeline(run(2_500, 2_550)), undefined);
    expect([reset.run, reset.shown.length]).toEqual([newest.run + 1, 51]);
    const away = follow(newest, timeline(all), 1_100);
    expect([away.run, away.shown.some(({ seq }) => seq === 1_100)]).toEqual([newest.run + 1, true]);
    expect(follow(away, timeline(all), 1_101)).toBe(away);
    // The list waits until the message is loaded.
    expect(follow(newest, timeline(all), 5)).toBe(newest);
  });

  test('a message near what a list shows is added to the same list', () => {
    const short = follow(nothingYet, timeline(run(101, 150)), undefined);
    const longer = timeline(run(1, 150));
    const found = follow(follow(short, longer, undefined), longer, 60);
    expect([found.run, found.shown[0]?.seq, found.shown.at(-1)?.seq]).toEqual([short.run, 10, 150]);
    const before = { ...short, all: run(1, 150), part: { from: 10, to: 30 } };
    const after = follow(before, longer, 90);
    expect([after.run, after.shown[0]?.seq, after.shown.at(-1)?.seq]).toEqual([before.run, 10, 140]);
  });

  test('writing something leads to the end, wherever one was', () => {
    const pending: PendingMessage = { clientMessageId: 'x', content: 'hi', createdAt: 0, state: 'sending' };
    const after = follow(past, timeline(all, [pending]), undefined);
    expect([after.run, after.part.to, after.shown.at(-1)?.seq]).toEqual([past.run + 1, null, 2_000]);
    expect(follow(newest, timeline(all, [pending]), undefined).run).toBe(newest.run);
  });
});
