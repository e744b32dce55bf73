import type { Message } from '@nolo/api';
import { joinMessageListEntries } from '@nolo/client/chat/entries';
import type { RowOpening } from '@nolo/client/chat/rowOpening';
import { fakeChatServer } from '../../../../packages/client/tests/fakeChatServer.ts';
import { findRowRuns, rowNoteOf } from './rowNotes.ts';

const open = (late = false): RowOpening => ({
  state: 'open',
  rowHash: 'row',
  sentAt: 0,
  late,
  outOfOrder: false,
  pinnedBy: null,
});

/** Entries of stored rows with these states, named m1, m2, ... */
function entriesOf(states: readonly ((row: Message) => RowOpening)[]) {
  const server = fakeChatServer();
  for (const [index] of states.entries()) server.store('you', String(index), null);
  const rows = server.messages.map((row, index) => ({ ...row, opening: states[index]?.(row) }));
  return joinMessageListEntries(rows as Message[], [], 'me');
}

const waiting = (row: Message): RowOpening => ({ state: 'waiting', row });
const refused = (row: Message): RowOpening => ({ state: 'refused', reason: 'signature', row });
const shown = () => open();
const late = () => open(true);

const never = () => false;
const nothing: ReadonlySet<string> = new Set();

test('rows in one state are one run, up to a row in another state', () => {
  const entries = entriesOf([waiting, waiting, refused, shown, waiting]);
  const runs = findRowRuns(entries, never, nothing);
  const lengths = entries.map(({ key }) => runs.get(key)?.entries.length ?? 0);
  expect(lengths).toEqual([2, 2, 1, 0, 1]);
  expect(entries.map(({ key }) => runs.get(key)?.note)).toEqual([
    'waiting',
    'waiting',
    'signature',
    undefined,
    'waiting',
  ]);
});

test('no run spans an entry with something above it', () => {
  const entries = entriesOf([waiting, waiting, waiting]);
  const runs = findRowRuns(entries, ({ key }) => key === entries[1]?.key, nothing);
  expect(entries.map(({ key }) => runs.get(key)?.entries.length)).toEqual([1, 2, 2]);
});

test('late rows are folded until the user wants to see them', () => {
  const entries = entriesOf([late, late]);
  const keys = entries.map(({ key }) => key);
  expect(findRowRuns(entries, never, nothing).get(keys[0] ?? '')?.note).toBe('late');
  expect(findRowRuns(entries, never, new Set(keys)).size).toBe(0);
});

test('a row that is open, being opened, deleted, or of a conversation that is not sealed has no note', () => {
  const [row] = fakeChatServer().messages;
  const of = (opening?: RowOpening) => rowNoteOf({ messageType: 'text', ...(opening && { opening }) });
  expect([of(), of(open()), of({ state: 'closed', row: row as Message })]).toEqual([null, null, null]);
  expect(of({ state: 'deleted', by: 'you', rowHash: 'row' })).toBeNull();
});
