import type { Bytes } from './bytes.ts';
import { randomBytes } from './primitives.ts';
import {
  createSnapshot,
  decodeRecord,
  emptyVault,
  encodeRecord,
  nextCounter,
  openPreviousSecret,
  placedIn,
  sealPreviousSecret,
  subjectOf,
  withRecords,
  type EntryRecord,
  type PinRecord,
  type PlacedRecord,
} from './vault.ts';

const [account, conversation] = [randomBytes(16), randomBytes(16)];
const pin = (n: number, fields: Partial<PinRecord> = {}): PinRecord => ({
  kind: 'pin',
  account,
  identity: first,
  n,
  hash: Uint8Array.from(first, (byte) => byte ^ n),
  replaced: null,
  counter: 0,
  ...fields,
});
const first = randomBytes(32);
const second = randomBytes(32);
const author = randomBytes(16);
const placed = (...records: EntryRecord[]): PlacedRecord[] => records.map((record, row) => ({ row, author, record }));
const stateOf = (...records: EntryRecord[]) => withRecords(emptyVault, placed(...records));
const oneOf = (...records: EntryRecord[]) => [...stateOf(...records).entries.values()][0]?.record;
const header = (headerHash: Bytes, secret: Bytes | null): EntryRecord => ({
  kind: 'header',
  conversation,
  n: 1,
  headerHash,
  secret,
});
const verified = (counter: number, isVerified: boolean): EntryRecord => ({
  kind: 'verified',
  account,
  identity: first,
  n: 1,
  hash: first,
  counter,
  isVerified,
});
const note = (counter: number, text: string): EntryRecord => ({
  kind: 'text',
  about: 0,
  subject: account,
  counter,
  text,
});

test('records are read as they were written', async () => {
  const records = [pin(3, { replaced: second }), header(first, second), verified(2, true), note(1, 'Grüße')];
  for (const record of records) expect(decodeRecord(encodeRecord(record))).toEqual(record);
  const [snapshot, ...others] = await createSnapshot(stateOf(...records), [{ row: 4, hash: first }]);
  expect(others).toEqual([]);
  expect(snapshot && decodeRecord(encodeRecord(snapshot))).toEqual(snapshot);
  for (const wrong of [Uint8Array.of(0x81, 9), encodeRecord(pin(1)).subarray(1), new Uint8Array()])
    expect(() => decodeRecord(wrong)).toThrow(expect.objectContaining({ code: 'malformed' }));
});

test('the newest pin of an identity counts, in whatever order the rows arrive', () => {
  expect(oneOf(pin(1), pin(3), pin(2))).toEqual(pin(3));
  expect(oneOf(pin(3), pin(1))).toEqual(pin(3));
  expect(stateOf(pin(1), pin(3)).forks.size).toBe(0);
  const fork = stateOf(pin(2), pin(2, { hash: second }));
  expect([...fork.forks]).toEqual([subjectOf(pin(2))]);
});

test('another identity counts once the user replaced the former one', () => {
  const other = pin(0, { identity: second, hash: second });
  expect(stateOf(pin(5), other).forks.size).toBe(1);
  const accepted = { ...other, replaced: first };
  expect(oneOf(pin(5), accepted)).toEqual(accepted);
  expect(oneOf(accepted, pin(5))).toEqual(accepted);
  // Comparing numbers brings the former one back.
  const back = pin(5, { replaced: second, counter: 1 });
  expect(oneOf(pin(5), accepted, back)).toEqual(back);
  expect(oneOf(back, accepted)).toEqual(back);
});

test('replacement reaches through others, and the newest acceptance ends a circle, in whatever order rows are read', () => {
  const third = new Uint8Array(32).fill(3);
  const chain = [pin(9), pin(1, { identity: second, replaced: first, counter: 1 })];
  const last = pin(0, { identity: third, replaced: second, counter: 2 });
  const circle = pin(2, { replaced: third, counter: 3 });
  const states = (records: PlacedRecord[]) => {
    const all = withRecords(emptyVault, records);
    const [x, y] = [records.slice(0, 1), records.slice(1)];
    return [all, withRecords(withRecords(emptyVault, y), x), withRecords(withRecords(emptyVault, x), y)];
  };
  for (const state of states(placed(...chain, last))) {
    expect([...state.entries.values()].map(({ record }) => record)).toEqual([last]);
    expect(state.forks.size).toBe(0);
  }
  for (const state of states(placed(...chain, last, circle))) {
    expect([...state.entries.values()].map(({ record }) => record)).toEqual([pin(9)]);
    expect(state.forks.size).toBe(0);
  }
});

test('a contradiction about an identity ends once the user decided', () => {
  const other = pin(0, { identity: second, hash: second });
  expect(stateOf(pin(5), other).forks.size).toBe(1);
  expect(stateOf(pin(5), other, pin(5, { replaced: second, counter: 1 })).forks.size).toBe(0);
});

test('a header is seen once, and its secret is kept', () => {
  expect(oneOf(header(first, null), header(first, second))).toEqual(header(first, second));
  expect(oneOf(header(first, second), header(first, null))).toEqual(header(first, second));
});

test('two headers with one number are kept with their secrets', () => {
  const records = [header(first, second), header(second, first)];
  expect([...stateOf(...records).entries.values()].map(({ record }) => record)).toEqual(records);
});

test('counters decide, and of equal ones the later row', () => {
  expect(oneOf(verified(1, true), verified(2, false))).toEqual(verified(2, false));
  expect(oneOf(verified(2, false), verified(1, true))).toEqual(verified(2, false));
  expect(oneOf(verified(1, true), verified(1, false))).toEqual(verified(1, false));
  expect(oneOf(verified(1, false), verified(1, true))).toEqual(verified(1, true));
  expect(oneOf(note(1, 'Ann'), note(1, 'Anne'))).toEqual(note(1, 'Anne'));
  expect(oneOf(note(2, 'Ann'), note(1, 'Anne'))).toEqual(note(2, 'Ann'));
});

test('a snapshot stands for the rows that it covers, also after later ones', async () => {
  const rows = placed(pin(1), note(1, 'Ann'), pin(2), verified(1, true));
  const all = withRecords(emptyVault, rows);
  const snapshot = await createSnapshot(withRecords(emptyVault, rows.slice(0, 3)), [{ row: 0, hash: first }]);
  const later = rows.slice(3);
  const covered = snapshot.flatMap((part) => placedIn(9, author, part));
  const read = withRecords(withRecords(emptyVault, later), covered);
  const recordsOf = ({ entries }: typeof all) => [...entries].map(([subject, one]) => [subject, one.row, one.record]);
  expect(new Set(recordsOf(read))).toEqual(new Set(recordsOf(all)));
});

test('a large snapshot has parts', async () => {
  const notes = Array.from({ length: 40 }, (_, index) => ({
    ...note(1, 'a'.repeat(2_000)),
    subject: Uint8Array.from(account, (byte) => byte ^ index),
  }));
  const state = stateOf(...(notes as EntryRecord[]));
  const parts = await createSnapshot(state, [{ row: 0, hash: first }]);
  expect(parts.map(({ part, parts: all }) => [part, all])).toEqual([
    [0, 3],
    [1, 3],
    [2, 3],
  ]);
  for (const part of parts) expect(encodeRecord(part).length).toBeLessThan(65_536);
  expect(
    [
      ...withRecords(
        emptyVault,
        parts.flatMap((part) => placedIn(9, author, part)),
      ).entries.values(),
    ].map(({ row, record }) => [row, record]),
  ).toEqual([...state.entries.values()].map(({ row, record }) => [row, record]));
});

test('the newest secret opens the one before', async () => {
  const [epoch, secret, previous] = [{ hash: first }, randomBytes(32), randomBytes(32)];
  const sealed = await sealPreviousSecret(epoch, secret, previous);
  expect(await openPreviousSecret(epoch, secret, sealed)).toEqual(previous);
  await expect(openPreviousSecret({ hash: second }, secret, sealed)).rejects.toMatchObject({ code: 'unopened' });
  await expect(openPreviousSecret(epoch, previous, sealed)).rejects.toMatchObject({ code: 'unopened' });
});

test('a snapshot names the author of each record', async () => {
  const [snapshot] = await createSnapshot(stateOf(verified(1, true)), [{ row: 0, hash: first }]);
  const read = snapshot && decodeRecord(encodeRecord(snapshot));
  expect(read && placedIn(7, randomBytes(16), read)).toEqual([
    { row: 0, author, record: verified(1, true), isCovered: true },
  ]);
});

test('a counter counts only up to 1,000 above the last one of its subject', () => {
  expect(stateOf(note(1_001, 'Ann')).entries.size).toBe(0);
  expect(oneOf(note(5, 'Ann'), note(1_006, 'Eve'))).toEqual(note(5, 'Ann'));
  expect(oneOf(note(5, 'Ann'), note(1_005, 'Anne'))).toEqual(note(1_005, 'Anne'));
  // A snapshot stands for all steps in between.
  const covered = [{ row: 3, author, record: note(5_000, 'Ann'), isCovered: true }];
  expect(withRecords(emptyVault, covered).entries.size).toBe(1);
  expect(nextCounter(emptyVault, subjectOf(note(0, '')))).toBe(0);
  expect(nextCounter(stateOf(note(7, 'Ann')), subjectOf(note(0, '')))).toBe(8);
  const last = [{ row: 3, author, record: note(Number.MAX_SAFE_INTEGER, 'Ann'), isCovered: true }];
  expect(nextCounter(withRecords(emptyVault, last), subjectOf(note(0, '')))).toBe(Number.MAX_SAFE_INTEGER);
});

test('a late record counts only for its secret', () => {
  const late = (record: EntryRecord) => ({ row: 9, author, record, isLate: true });
  const after = (before: EntryRecord[], record: EntryRecord) => withRecords(stateOf(...before), [late(record)]);
  expect(after([], pin(1)).entries.size).toBe(0);
  expect(
    after([verified(1, true)], verified(2, false))
      .entries.values()
      .next().value?.record,
  ).toEqual(verified(1, true));
  expect(after([], header(first, null)).entries.size).toBe(0);
  expect(
    after([header(first, null)], header(first, second))
      .entries.values()
      .next().value?.record,
  ).toEqual(header(first, second));
  const others = [...after([header(first, null)], header(second, second)).entries.values()];
  expect(others.map(({ record, isLate }) => [record, isLate ?? false])).toEqual([
    [header(first, null), false],
    [header(second, second), true],
  ]);
});
