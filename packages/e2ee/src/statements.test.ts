import { encodeChange, readChange, type Change } from './headers.ts';
import { randomBytes } from './primitives.ts';
import { decodeStatement, encodeStatement } from './statements.ts';

/** Statements and changes that a server keeps as one value. */

const refusal = expect.objectContaining({ code: 'malformed' });

test('a statement is stored as one value', () => {
  const statement = { body: randomBytes(40), signature: randomBytes(64) };
  const encoded = encodeStatement(statement);
  expect(decodeStatement(encoded)).toEqual(statement);
  expect(() => decodeStatement(encoded.slice(1))).toThrow(refusal);
  expect(() => decodeStatement(encodeStatement({ ...statement, signature: randomBytes(63) }))).toThrow(refusal);
});

test('a signed leave is stored as one value', () => {
  const [account, device, ancestor, signature] = [randomBytes(16), randomBytes(16), randomBytes(32), randomBytes(64)];
  const leave: Change = {
    type: 2,
    account,
    lastRows: [{ device, row: null }],
    evidence: { by: 'member', account, device, ancestor, at: 7, signature },
  };
  const encoded = encodeChange(leave);
  expect(readChange(encoded)).toEqual(leave);
  expect(() => readChange(encoded.slice(0, -1))).toThrow(refusal);
});
