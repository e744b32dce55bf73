import { toHex } from './bytes.ts';
import { noAccount, type Change } from './headers.ts';
import { findLateRows, type OrderedRow } from './lateRows.ts';
import { randomBytes } from './primitives.ts';

const phone = randomBytes(16);
const laptop = randomBytes(16);

type Sent = Partial<OrderedRow> & { readonly own?: readonly Uint8Array[] };

const row = (fields: Sent = {}): OrderedRow => ({
  hash: randomBytes(32),
  device: phone,
  epoch: 0,
  after: 0,
  held: false,
  own: [],
  ...(fields as Partial<OrderedRow>),
});

const header = (n: number, changes: readonly Change[] = [], leftOut: readonly OrderedRow['device'][] = []) => ({
  n,
  changes,
  leftOut: leftOut.map((device) => ({ device, row: null })),
});

const removal = (last: OrderedRow | null): Change => ({
  type: 1,
  account: randomBytes(16),
  evidence: null,
  lastRows: [{ device: phone, row: last?.hash ?? null }],
});

const lateOf = (headers: Parameters<typeof findLateRows>[0], rows: readonly OrderedRow[], isComplete = true) => {
  const late = findLateRows(headers, rows, isComplete);
  return rows.map(({ hash }) => late.has(toHex(hash)));
};

test('rows that the last row names, directly or through others, are not late', () => {
  const first = row();
  const deletion = row({ own: [first.hash] });
  const last = row({ own: [deletion.hash] });
  const hidden = row({ own: [first.hash] });
  const others = row({ device: laptop });
  const headers = [header(0), header(1, [removal(last)])];
  expect(lateOf(headers, [first, deletion, last, hidden, others])).toEqual([false, false, false, true, false]);
  expect(lateOf([header(0), header(1, [removal(null)])], [first, others])).toEqual([true, false]);
});

test('while a row that the last one names is unknown, a row before the header is not late', () => {
  const [unknown, first] = [row(), row()];
  const after = row({ after: 1 });
  const last = row({ own: [unknown.hash] });
  const headers = [header(0), header(1, [removal(last)])];
  expect(lateOf(headers, [first, last, after], false)).toEqual([false, false, true]);
  expect(lateOf(headers, [first, last, after])).toEqual([true, false, true]);
  expect(lateOf(headers, [first, last, unknown], false)).toEqual([true, false, false]);
});

test('rows of a device that came back are judged by headers after their epoch only', () => {
  const before = row();
  const since = row({ epoch: 2, after: 2 });
  expect(lateOf([header(0), header(1, [removal(before)]), header(2)], [before, since])).toEqual([false, false]);
});

test('a row of an older epoch is late after a removal, a change of roles or settings, or a device left out', () => {
  const sent = row({ device: laptop, after: 1 });
  const setting: Change = { type: 5, account: noAccount, evidence: null, setting: { field: 1, value: 60 } };
  const added: Change = { type: 0, account: randomBytes(16), evidence: null, role: 0, list: null };
  for (const changes of [[removal(null)], [setting]])
    expect(lateOf([header(0), header(1, changes)], [sent])).toEqual([true]);
  expect(lateOf([header(0), header(1, [added])], [sent])).toEqual([false]);
  expect(lateOf([header(0), header(1, [], [phone])], [sent])).toEqual([true]);
  // The device was left out before: nothing ended.
  expect(lateOf([header(0, [], [phone]), header(1, [], [phone])], [sent])).toEqual([false]);
});

test('a held draft is never late', () => {
  const draft = row({ held: true, after: 1 });
  expect(lateOf([header(0), header(1, [removal(null)])], [draft])).toEqual([false]);
});
