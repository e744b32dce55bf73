import { z } from 'zod';
import { readInput } from './input.ts';

const schema = z.object({
  name: z.string().min(1).max(5).optional(),
  code: z.string().min(6).optional(),
  kind: z.enum(['a', 'b']).optional(),
  type: z.literal('sms').optional(),
  count: z.int().min(2).max(9).optional(),
  ids: z.array(z.uuid()).max(2).optional(),
  at: z.iso.datetime().optional(),
  open: z.boolean().optional(),
  form: z.string().regex(/^x$/).optional(),
  either: z.union([z.string(), z.number()]).optional(),
  whole: z.object({}).optional(),
});

function wordsFor(value: unknown): string[] {
  const result = readInput(schema, value);
  return 'faults' in result ? result.faults.map(({ path, message }) => `${path.map(String).join('.')} ${message}`) : [];
}

it.each<[unknown, string]>([
  [{ name: '' }, 'name must not be empty'],
  [{ name: 'too long' }, 'name must have at most 5 characters'],
  [{ name: 7 }, 'name must be text'],
  [{ code: '12345' }, 'code must have at least 6 characters'],
  [{ kind: 'c' }, 'kind must be "a" or "b"'],
  [{ type: 'mail' }, 'type must be "sms"'],
  [{ count: 1 }, 'count must be at least 2'],
  [{ count: 10 }, 'count must be at most 9'],
  [{ count: 2.5 }, 'count must be a whole number'],
  [{ count: 'x' }, 'count must be a number'],
  [{ ids: ['x'] }, 'ids.0 must be an id'],
  [{ ids: Array(3).fill(crypto.randomUUID()) }, 'ids must have at most 2 entries'],
  [{ at: 'today' }, 'at must be a time in UTC, such as 2026-01-31T08:00:00Z'],
  [{ open: 1 }, 'open must be true or false'],
  [{ form: 'y' }, 'form has the wrong format'],
  [{ either: true }, 'either is not valid'],
  [{ whole: 'x' }, 'whole must be an object'],
  ['x', ' must be an object'],
  [undefined, ' is required'],
])('explains what is wrong with %j', (value, words) => {
  expect(wordsFor(value)).toEqual([words]);
});

it("keeps a schema's own error messages", () => {
  const own = z.string().min(3, 'is too short for a name');
  expect(readInput(own, 'x')).toMatchObject({ faults: [{ message: 'is too short for a name' }] });
});

it('returns valid input', () => {
  expect(readInput(schema, { name: 'Ann', more: 1 })).toEqual({ data: { name: 'Ann' } });
});

it('treats an exception thrown by a check as an invalid value', () => {
  const incomparable: unknown[] = [{ valueOf: 1, toString: 1 }, { length: {} }, { toString: null }];
  for (const length of incomparable) {
    expect(readInput(schema, { name: { length } })).toHaveProperty('faults');
    expect(readInput(schema, { ids: { length } })).toHaveProperty('faults');
  }
});

describe('a string that is too long', () => {
  /** Regular expression that would take minutes. */
  const slow = vowed(z.string().max(50));
  const long = 'x'.repeat(1_000_000);

  /** Wraps a schema so that the test fails if anything is checked. */
  function vowed(inner: z.ZodType): z.ZodType {
    return inner.refine(() => {
      throw new Error('checked');
    });
  }
  const words = (schema: z.ZodType, value: unknown) => {
    const result = readInput(schema, value);
    return 'faults' in result
      ? result.faults.map(({ path, message }) => `${path.map(String).join('.')} ${message}`)
      : [];
  };

  it.each<[z.ZodType, unknown, string]>([
    [z.object({ name: slow }), { name: long }, 'name must have at most 50 characters'],
    [z.object({ id: vowed(z.uuid()) }), { id: long }, 'id is too long'],
    [z.object({ at: z.iso.datetime().nullable().default('x') }), { at: long }, 'at is too long'],
    [z.array(slow.optional()), ['', long], '1 must have at most 50 characters'],
    [z.record(z.string().max(5), slow), { a: long }, 'a must have at most 50 characters'],
    [
      z.object({ all: z.record(z.string().max(5), z.unknown()) }),
      { all: { [long]: 1 } },
      'all must have at most 5 characters',
    ],
    [z.union([z.number(), slow]), long, ' must have at most 50 characters'],
    [z.union([slow, z.object({ kind: z.string() })]), long, ' must have at most 50 characters'],
    [z.union([z.number(), z.array(slow)]), [long], '0 must have at most 50 characters'],
    [
      z.union([z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b'), name: slow })]),
      { kind: 'b', name: long },
      'name must have at most 50 characters',
    ],
    [z.coerce.number(), long, ' is too long'],
    [z.enum(['a', 'b']), long, ' is too long'],
    [z.lazy(() => slow), long, ' must have at most 50 characters'],
    [slow.pipe(z.string()), long, ' must have at most 50 characters'],
  ])('is rejected before anything reads it: %#', (of, value, sentence) => {
    expect(words(of, value)).toEqual([sentence]);
  });

  it('is rejected with the schema’s own message if trimming brings it near the limit', () => {
    const name = z.string().trim().min(1).max(5);
    expect(readInput(name, '  Ann         ')).toEqual({ data: 'Ann' });
    expect(words(name, 'Annabel')).toEqual([' must have at most 5 characters']);
  });

  it('is accepted where the schema passes it on unread', () => {
    expect(readInput(z.object({ more: z.unknown() }), { more: long })).toEqual({ data: { more: long } });
  });
});
