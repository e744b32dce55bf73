import type { Message } from '@nolo/api';
import { joinMessageListEntries } from '@nolo/client/chat/entries';
import type { ConversationStanding, HeaderLine } from '@nolo/client/keys/conversations/types';
import { fakeChatServer } from '../../../../packages/client/tests/fakeChatServer.ts';
import { isUnconfirmed } from '../words/confirmation.ts';
import { placeTimelineLines, type TimelineLines } from './timelineLines.ts';

/** Entries of messages with these texts, and of system messages with these contents. `seq` begins with 1. */
function entriesOf(contents: readonly (string | { readonly kind: string })[]) {
  const server = fakeChatServer();
  for (const content of contents)
    server.store('you', typeof content === 'string' ? content : JSON.stringify(content), null);
  const rows = server.messages.map((row, index) =>
    typeof contents[index] === 'string' ? row : { ...row, messageType: 'system' as const },
  );
  return joinMessageListEntries(rows as Message[], [], 'me');
}

const line = (seq: number, change: HeaderLine['change'], epoch = 1): HeaderLine => ({
  seq,
  epoch,
  at: 0,
  by: 'you',
  change,
});
const started = (seq: number) => line(seq, { kind: 'started' }, 0);

const standing = (...lines: readonly HeaderLine[]): ConversationStanding => ({
  send: { state: 'sealed' },
  epoch: 1,
  isSealed: true,
  suite: 2,
  members: [],
  outsiders: [],
  timer: 0,
  lines,
});

const wholly = { gaps: [], hiddenNeighbour: undefined, isPast: false };
const sealedFrom = (sealedFromSeq: number | null, type: 'direct' | 'group' = 'group') => ({
  type,
  sealedFromSeq,
  clearedSeq: 0,
});

const placesOf = (entries: ReturnType<typeof entriesOf>, { above }: TimelineLines) =>
  entries.map(({ key }) => (above.get(key) ?? []).map(({ change }) => change.kind));

test('a line stands above the first message after its place, and below the last one if there is none', () => {
  const entries = entriesOf(['one', 'two', 'three']);
  const placed = placeTimelineLines(
    sealedFrom(1),
    entries,
    standing(started(0), line(1, { kind: 'left', userId: 'x' }), line(3, { kind: 'timer', seconds: 60 })),
    wholly,
  );
  expect(placesOf(entries, placed)).toEqual([['encrypted'], ['left'], []]);
  expect(placed.below.map(({ change }) => change.kind)).toEqual(['timer']);
});

test('the first encrypted message says whether those above it are not', () => {
  const entries = entriesOf(['plain', 'sealed']);
  const first = (seq: number) => placeTimelineLines(sealedFrom(seq + 1), entries, standing(started(seq)), wholly).above;
  expect(first(1).get(entries[1]?.key ?? '')?.[0]?.change).toEqual({ kind: 'encrypted', hasPlainAbove: true });
  expect(first(0).get(entries[0]?.key ?? '')?.[0]?.change).toEqual({ kind: 'encrypted', hasPlainAbove: false });
});

test('the server cannot place the line above a message that is not encrypted', () => {
  const entries = entriesOf(['plain', 'plain too', 'sealed']).map((entry, at) => ({
    ...entry,
    message: entry.message && { ...entry.message, ...(at < 2 && { opening: { state: 'plain' as const } }) },
  })) as ReturnType<typeof entriesOf>;
  const joined = standing(line(2, { kind: 'added', userId: 'me' }, 5));
  const { above } = placeTimelineLines(sealedFrom(1), entries, joined, wholly);
  expect(above.get(entries[0]?.key ?? '')).toBeUndefined();
  expect(above.get(entries[2]?.key ?? '')?.[0]?.change).toEqual({ kind: 'encrypted', hasPlainAbove: true });
});

test('nothing says that messages are encrypted only because the server claims it', () => {
  const entries = entriesOf(['one']);
  expect(placeTimelineLines(sealedFrom(1), entries, undefined, wholly).above.size).toBe(0);
  const withoutEpoch = { ...standing(), isSealed: false, epoch: null };
  expect(placeTimelineLines(sealedFrom(1), entries, withoutEpoch, wholly).above.size).toBe(0);
});

test('lines from before the shown messages, and from before a conversation was cleared, do not appear', () => {
  const entries = entriesOf(['one', 'two', 'three']);
  const lines = standing(started(0), line(1, { kind: 'left', userId: 'x' }));
  const [hiddenNeighbour, ...shown] = entries.slice(1);
  const older = placeTimelineLines(sealedFrom(1), shown, lines, { ...wholly, hiddenNeighbour });
  expect(older.above.size).toBe(0);
  expect(placeTimelineLines({ ...sealedFrom(1), clearedSeq: 2 }, shown, lines, wholly).above.size).toBe(0);
});

test('lines after the shown messages do not appear while newer ones are not shown', () => {
  const entries = entriesOf(['one']);
  const lines = standing(started(0), line(5, { kind: 'left', userId: 'x' }));
  expect(placeTimelineLines(sealedFrom(1), entries, lines, { ...wholly, isPast: true }).below).toEqual([]);
});

test('what the server says about members is not repeated where a header says it, and otherwise unconfirmed', () => {
  const entries = entriesOf([
    'one',
    { kind: 'member_added', userIds: ['x', 'y'] } as { kind: string },
    { kind: 'member_left' },
    { kind: 'name_changed', name: 'Us' } as { kind: string },
  ]);
  const { repeated, unconfirmed } = placeTimelineLines(
    sealedFrom(1),
    entries,
    standing(started(0), line(1, { kind: 'added', userId: 'x' }), line(1, { kind: 'added', userId: 'y' })),
    wholly,
  );
  expect([...repeated]).toEqual([entries[1]?.key]);
  expect([...unconfirmed]).toEqual([entries[2]?.key]);
});

test('a header from before the message of the server does not confirm it', () => {
  const entries = entriesOf([
    'one',
    'two',
    'three',
    { kind: 'member_removed', userId: 'x', banned: false } as { kind: string },
  ]);
  const lines = standing(started(0), line(1, { kind: 'removed', userId: 'x' }));
  expect(placeTimelineLines(sealedFrom(1), entries, lines, wholly).unconfirmed.size).toBe(1);
});

test('a last message about members is unconfirmed after the start of encryption, until a header says it', () => {
  const left = (seq: number) => ({
    ...entriesOf([{ kind: 'member_left' }])[0]!.message!,
    seq,
    senderId: 'you',
  });
  const byYou = line(4, { kind: 'left', userId: 'you' });
  for (const [row, from, known, unconfirmed] of [
    [left(1), 2, undefined, false],
    [left(4), 2, undefined, true],
    // Only this device knows that the conversation is sealed.
    [left(4), null, undefined, true],
    [left(4), 2, standing(started(1)), true],
    [left(4), 2, standing(started(1), byYou), false],
    [{ ...left(4), messageType: 'text' }, 2, undefined, false],
  ] as const) {
    const standings: Record<string, ConversationStanding> = known ? { chat: known } : {};
    const state = { conversations: {}, seenSealed: { chat: true as const }, standings, timelines: {} };
    expect(isUnconfirmed(row, { id: 'chat', sealedFromSeq: from }, state)).toBe(unconfirmed);
    expect(isUnconfirmed(row, { id: 'plain', sealedFromSeq: null }, state)).toBe(false);
  }
});

test('only groups can start with people whom the server supplied', () => {
  const entries = entriesOf(['one']);
  const lines = standing(line(0, { kind: 'started_by_server_members' }, 0));
  const kinds = (type: 'direct' | 'group') =>
    placesOf(entries, placeTimelineLines(sealedFrom(1, type), entries, lines, wholly));
  expect(kinds('group')).toEqual([['encrypted', 'started_by_server_members']]);
  expect(kinds('direct')).toEqual([['encrypted']]);
});

test('rows that are missing are said to be where another one names them', () => {
  const entries = entriesOf(['one', 'two']);
  const placed = placeTimelineLines(sealedFrom(1), entries, standing(started(0)), { ...wholly, gaps: [2] });
  expect(placesOf(entries, placed)).toEqual([['encrypted'], ['missing']]);
});
