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

/** Characters of a text whose schema names no most: an id, a time, one of a few words, a number as text. */
const usualLength = 512;
/** A schema may cut blanks off before it counts, so a text may be this much longer than the schema says. */
const lengthAllowed = (most: number): number => 2 * most + 64;

function mostCharacters({ checks = [] }: z.$ZodStringDef | z.$ZodStringFormatDef): number | undefined {
  const named = checks.flatMap(({ _zod: { def } }) =>
    def.check === 'max_length' ? [(def as z.$ZodCheckMaxLengthDef).maximum] : [],
  );
  return named.length === 0 ? undefined : Math.min(...named);
}

function lengthFault(text: string, path: readonly PropertyKey[], most?: number): InputFault | undefined {
  if (text.length <= (most === undefined ? usualLength : lengthAllowed(most))) return undefined;
  const message = most === undefined ? 'is too long' : `must have at most ${most} characters`;
  return { path, code: 'too_big', message };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The first fault that `find` finds in a list. */
function firstFault<T>(list: Iterable<T>, find: (item: T) => InputFault | undefined): InputFault | undefined {
  for (const item of list) {
    const fault = find(item);
    if (fault) return fault;
  }
  return undefined;
}

/** Whether a value is of the kind that one option of a union takes, by its type and by its fields of one fixed value. */
function fits(option: z.$ZodType, value: unknown): boolean {
  const { def } = (option as z.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'catch':
      return fits(def.innerType, value);
    case 'pipe':
      return fits(def.in, value);
    case 'string':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    case 'array':
      return Array.isArray(value);
    case 'record':
      return isObject(value);
    case 'literal':
      return (def.values as readonly unknown[]).includes(value);
    case 'object':
      return (
        isObject(value) &&
        Object.entries(def.shape).every(
          ([name, inner]) => (inner as z.$ZodTypes)._zod.def.type !== 'literal' || fits(inner, value[name]),
        )
      );
    default:
      return true;
  }
}

/**
 * The first text in a value that is too long for its schema. Nothing but its length is looked at, so that no check, no
 * regular expression and no function behind the schema works on a text whose length is not bounded. What a schema takes as
 * it is (`unknown`) is read elsewhere, by a schema of its own.
 */
function findLongText(schema: z.$ZodType, value: unknown, path: readonly PropertyKey[]): InputFault | undefined {
  const { def } = (schema as z.$ZodTypes)._zod;
  switch (def.type) {
    case 'unknown':
    case 'any':
      return undefined;
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'catch':
      return findLongText(def.innerType, value, path);
    case 'pipe':
      return findLongText(def.in, value, path);
    case 'lazy':
      return findLongText(def.getter(), value, path);
    case 'union': {
      const fitting = def.options.filter((option) => fits(option, value));
      // Where none fits, the value is refused in any case, but not before it is read.
      const faults = (fitting.length > 0 ? fitting : def.options).map((option) => findLongText(option, value, path));
      return faults.includes(undefined) ? undefined : faults[0];
    }
    case 'object':
      if (!isObject(value)) break;
      return firstFault(Object.entries(def.shape), ([name, inner]) =>
        Object.hasOwn(value, name) ? findLongText(inner, value[name], [...path, name]) : undefined,
      );
    case 'record':
      if (!isObject(value)) break;
      return firstFault(
        Object.entries(value),
        ([name, inner]) =>
          // A name that is too long would make the path too long.
          findLongText(def.keyType, name, path) ?? findLongText(def.valueType, inner, [...path, name]),
      );
    case 'array':
      if (!Array.isArray(value)) break;
      return firstFault(value.entries(), ([index, item]) => findLongText(def.element, item, [...path, index]));
    case 'string':
      return typeof value === 'string' ? lengthFault(value, path, mostCharacters(def)) : undefined;
    default:
      break;
  }
  return typeof value === 'string' ? lengthFault(value, path) : undefined;
}

/**
 * Holds a value that came from outside against a schema, lengths of texts before anything else. Whatever the value is,
 * the answer is a result: a check that throws over it (one of lengths, say, at an object with a `length` that cannot be
 * compared) has found a fault in it.
 */
export function readInput<Schema extends z.$ZodType>(schema: Schema, value: unknown): InputResult<z.output<Schema>> {
  try {
    const long = findLongText(schema, value, []);
    if (long) return { faults: [long] };
    const result = z.safeParse(schema, value, { error: inputWords });
    return result.success ? { data: result.data } : { faults: result.error.issues };
  } catch {
    return { faults: [{ path: [], code: 'unreadable', message: 'is not valid' }] };
  }
}
