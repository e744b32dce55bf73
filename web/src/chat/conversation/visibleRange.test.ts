import type { Message } from '@nolo/api';
import { createEmptyTimeline, type PendingMessage, type Timeline } from '@nolo/client/chat/timeline';
import {
  messagesOfRange,
  maxVisibleMessages,
  visibleRangeAround,
  extendToNewer,
  extendToOlder,
  visibleRangeStep,
  type VisibleRange,
} from './visibleRange.ts';
import { updateVisibleMessagesState, emptyVisibleMessagesState } from './useVisibleMessages.ts';

const run = (from: number, to: number): Message[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ id: `m${from + index}`, seq: from + index }) as Message);
const ends = (range: VisibleRange, messages: readonly Message[]) => {
  const shown = messagesOfRange(range, messages);
  return [shown[0]?.seq, shown.at(-1)?.seq];
};

describe('the visible range of the loaded messages', () => {
  const all = run(1, 10_000);

  test('is the newest messages, or those around the target message', () => {
    expect(ends(visibleRangeAround(all, undefined), all)).toEqual([9_601, 10_000]);
    expect(visibleRangeAround(all, undefined).to).toBeNull();
    expect(ends(visibleRangeAround(all, 5_000), all)).toEqual([4_800, 5_199]);
    expect(ends(visibleRangeAround(all, 3), all)).toEqual([1, 400]);
    expect(visibleRangeAround(all, 9_990).to).toBeNull();
    expect(visibleRangeAround(run(51, 100), 60)).toEqual({ from: 51, to: null });
  });

  test('extends upwards within its maximum, and down again', () => {
    let range = visibleRangeAround(all, undefined);
    for (let page = 0; page < 300; page += 1) {
      const [before] = ends(range, all);
      range = extendToOlder(range, all);
      expect(ends(range, all)[0]).toBe(Math.max(1, (before ?? 0) - visibleRangeStep));
      expect(messagesOfRange(range, all).length).toBeLessThanOrEqual(maxVisibleMessages);
    }
    expect(ends(range, all)).toEqual([1, maxVisibleMessages]);
    expect(extendToOlder(range, all)).toBe(range);
    for (let page = 0; page < 300; page += 1) {
      range = extendToNewer(range, all);
      expect(ends(range, all)[0]).toBe(1);
    }
    expect(range).toEqual({ from: 1, to: null });
    expect(extendToNewer(range, all)).toBe(range);
    // Messages read downwards are released when older messages arrive.
    expect(ends(extendToOlder({ from: 2_001, to: null }, all), all)).toEqual([1_951, 2_350]);
  });

  test('includes what arrives at its end', () => {
    expect(ends(visibleRangeAround(all, undefined), run(1, 10_100))).toEqual([9_601, 10_100]);
  });
});

describe('the visible range when the loaded messages change', () => {
  const timeline = (messages: readonly Message[], pending: readonly PendingMessage[] = []): Timeline => ({
    ...createEmptyTimeline(0, 0),
    status: 'ready',
    messages,
    pending,
  });
  const all = run(1_001, 2_000);
  const newest = updateVisibleMessagesState(emptyVisibleMessagesState, timeline(all), undefined);
  const past = { ...newest, range: { from: 1_001, to: 1_400 }, shown: all.slice(0, 400) };

  test('does not change for an older page until the list asks for it, and then keeps what it had', () => {
    const longer = [...run(951, 1_000), ...all];
    const after = updateVisibleMessagesState(newest, timeline(longer), undefined);
    expect(after.shown).toBe(newest.shown);
    expect(after.run).toBe(newest.run);
    const shown = messagesOfRange(extendToOlder(visibleRangeAround(longer.slice(0, 100), undefined), longer), longer);
    expect(shown.slice(50)[0]).toBe(all[0]);
  });

  test('ends with live messages, unless it ended earlier', () => {
    const fresh = timeline([...all, ...run(2_001, 2_001)]);
    expect(updateVisibleMessagesState(newest, fresh, undefined).shown.at(-1)?.seq).toBe(2_001);
    expect(updateVisibleMessagesState(past, fresh, undefined).shown).toBe(past.shown);
    expect(updateVisibleMessagesState(past, fresh, undefined).run).toBe(past.run);
  });

  test('starts a new list for another run of messages, or for a message outside it', () => {
    const reset = updateVisibleMessagesState(newest, timeline(run(2_500, 2_550)), undefined);
    expect([reset.run, reset.shown.length]).toEqual([newest.run + 1, 51]);
    const away = updateVisibleMessagesState(newest, timeline(all), 1_100);
    expect([away.run, away.shown.some(({ seq }) => seq === 1_100)]).toEqual([newest.run + 1, true]);
    expect(updateVisibleMessagesState(away, timeline(all), 1_101)).toBe(away);
    // The list waits until the message is loaded.
    expect(updateVisibleMessagesState(newest, timeline(all), 5)).toBe(newest);
  });

  test('extends in the same list to a message near it', () => {
    const short = updateVisibleMessagesState(emptyVisibleMessagesState, timeline(run(101, 150)), undefined);
    const longer = timeline(run(1, 150));
    const found = updateVisibleMessagesState(updateVisibleMessagesState(short, longer, undefined), longer, 60);
    expect([found.run, found.shown[0]?.seq, found.shown.at(-1)?.seq]).toEqual([short.run, 10, 150]);
    const before = { ...short, all: run(1, 150), range: { from: 10, to: 30 } };
    const after = updateVisibleMessagesState(before, longer, 90);
    expect([after.run, after.shown[0]?.seq, after.shown.at(-1)?.seq]).toEqual([before.run, 10, 140]);
  });

  test('moves to the end when the person writes, wherever they were', () => {
    const pending: PendingMessage = { clientMessageId: 'x', content: 'hi', createdAt: 0, state: 'sending' };
    const after = updateVisibleMessagesState(past, timeline(all, [pending]), undefined);
    expect([after.run, after.range.to, after.shown.at(-1)?.seq]).toEqual([past.run + 1, null, 2_000]);
    expect(updateVisibleMessagesState(newest, timeline(all, [pending]), undefined).run).toBe(newest.run);
  });
});
