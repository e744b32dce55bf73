import { newId, type UserId } from '@nolo/kit/ids';
import {
  auditChainStart,
  toCanonicalDetails,
  hashAuditEntry,
  verifyAuditChain,
  type AuditEntry,
} from './auditChain.ts';

const start = { entries: 0, head: undefined, brokenAt: undefined };

function chain(length: number): AuditEntry[] {
  const acts: AuditEntry[] = [];
  for (let position = 1; position <= length; position += 1) {
    const act = {
      position,
      at: new Date(Date.UTC(2026, 10, 26, 12, 0, position)),
      operatorId: newId<UserId>(),
      action: 'account_suspended',
      userId: newId<UserId>(),
      reason: `Reason ${position}`,
      details: toCanonicalDetails({}),
    };
    acts.push({ ...act, hash: hashAuditEntry(acts.at(-1)?.hash ?? auditChainStart, act) });
  }
  return acts;
}

test('an intact chain verifies to its last hash, in one piece or in parts', () => {
  const acts = chain(5);
  const whole = { entries: 5, head: acts[4]?.hash, brokenAt: undefined };
  expect(verifyAuditChain(start, acts)).toEqual(whole);
  expect(verifyAuditChain(verifyAuditChain(start, acts.slice(0, 2)), acts.slice(2))).toEqual(whole);
  expect(verifyAuditChain(start, [])).toEqual(start);
});

test.each([
  ['another operator', { operatorId: null }],
  ['another reason', { reason: 'Nicer' }],
  ['another time', { at: new Date(0) }],
  ['another person', { userId: null }],
  ['other details', { details: '{"a":1}' }],
  ['another action', { action: 'account_deleted' }],
])('%s is detected where it was changed', (_what, change) => {
  const acts = chain(5);
  acts[2] = { ...acts[2]!, ...change };
  expect(verifyAuditChain(start, acts)).toMatchObject({ entries: 2, brokenAt: 3 });
});

test('a rehashed entry is detected by its successor, and a missing one by its position', () => {
  const acts = chain(5);
  const changed = { ...acts[2]!, reason: 'Nicer' };
  acts[2] = { ...changed, hash: hashAuditEntry(acts[1]!.hash, changed) };
  expect(verifyAuditChain(start, acts)).toMatchObject({ entries: 3, brokenAt: 4 });
  expect(verifyAuditChain(start, chain(5).toSpliced(1, 1))).toMatchObject({ entries: 1, brokenAt: 2 });
});

test('details are serialized in a stable order', () => {
  expect(toCanonicalDetails({ b: 1, a: 'x' })).toBe(toCanonicalDetails({ a: 'x', b: 1 }));
});
