import * as z from 'zod/v4/core';

/** One thing that is wrong with what came from outside. */
export interface InputFault {
  /** Names of members and numbers of items, outermost first. */
  readonly path: readonly PropertyKey[];
  /** zod's name for the kind of fault; `unreadable` where the value could not even be checked. */
  readonly code: string;
  /** Goes on from the name of what is wrong, and may be shown to anyone: `must be text`. The value is not in it. */
  readonly message: string;
}

export type InputResult<T> = { readonly data: T } | { readonly faults: readonly InputFault[] };

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const formatWords: Readonly<Record<string, string>> = {
  uuid: 'must be an id',
  datetime: 'must be a time in UTC, such as 2026-01-31T08:00:00Z',
  base64: 'must be Base64',
  url: 'must be an address',
};

function sizeWords({ origin, limit, least }: { origin: string; limit: number | bigint; least: boolean }): string {
  const bound = `at ${least ? 'least' : 'most'} ${limit}`;
  if (origin === 'string') return least && limit === 1 ? 'must not be empty' : `must have ${bound} characters`;
  if (origin === 'array' || origin === 'set') return `must have ${bound} entries`;
  return `must be ${bound}`;
}

/** What is wrong, in words of ours: zod's own speak of its schemas, which nobody outside knows. */
export function inputWords(issue: z.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required';
      return `must be ${typeWords[issue.expected] ?? 'of another type'}`;
    case 'too_small':
      return sizeWords({ origin: issue.origin, limit: issue.minimum, least: true });
    case 'too_big':
      return sizeWords({ origin: issue.origin, limit: issue.maximum, least: false });
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
    case 'invalid_format':
      return formatWords[issue.format] ?? 'has the wrong form';
    default:
      return 'is not valid';
  }
}

/**
 * Holds a value that came from outside against a schema. Whatever the value is, the answer is a result: a check that
 * throws over it (one of lengths, say, at an object with a `length` that cannot be compared) has found a fault in it.
 */
export function readInput<Schema extends z.$ZodType>(schema: Schema, value: unknown): InputResult<z.output<Schema>> {
  try {
    const result = z.safeParse(schema, value, { error: inputWords });
    return result.success ? { data: result.data } : { faults: result.error.issues };
  } catch {
    return { faults: [{ path: [], code: 'unreadable', message: 'is not valid' }] };
  }
}
