import * as z from 'zod/v4/core';

/** Single fault in external input. */
export interface InputProblem {
  /** Member names and item indexes, outermost first. */
  readonly path: readonly PropertyKey[];
  /** zod's code for the fault; `unreadable` if the value could not be checked at all. */
  readonly code: string;
  /**
   * Message that continues from the name of the faulty field, and that anyone may see: `must be text`. Does not contain
   * the value.
   */
  readonly message: string;
}

export type InputResult<T> = { readonly data: T } | { readonly faults: readonly InputProblem[] };

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
  url: 'must be a URL',
};

function sizeWords({ origin, limit, least }: { origin: string; limit: number | bigint; least: boolean }): string {
  const bound = `at ${least ? 'least' : 'most'} ${limit}`;
  if (origin === 'string') return least && limit === 1 ? 'must not be empty' : `must have ${bound} characters`;
  if (origin === 'array' || origin === 'set') return `must have ${bound} entries`;
  return `must be ${bound}`;
}

/** Describes a fault in Nolo's own words, because zod's refer to its schemas, which callers do not know. */
export function describeInputIssue(issue: z.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required';
      return `must be ${typeWords[issue.expected] ?? 'of a different type'}`;
    case 'too_small':
      return sizeWords({ origin: issue.origin, limit: issue.minimum, least: true });
    case 'too_big':
      return sizeWords({ origin: issue.origin, limit: issue.maximum, least: false });
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
    case 'invalid_format':
      return formatWords[issue.format] ?? 'has the wrong format';
    default:
      return 'is not valid';
  }
}

/** Maximum characters of a text whose schema states no maximum: an id, a time, an enum value, a number as text. */
const defaultMaxLength = 512;
/** Tolerates this much more than the schema says, because a schema may trim blanks before it counts. */
const lengthAllowed = (maxLength: number): number => 2 * maxLength + 64;

function findMaxCharacters({ checks = [] }: z.$ZodStringDef | z.$ZodStringFormatDef): number | undefined {
  const named = checks.flatMap(({ _zod: { def } }) =>
    def.check === 'max_length' ? [(def as z.$ZodCheckMaxLengthDef).maximum] : [],
  );
  return named.length === 0 ? undefined : Math.min(...named);
}

function lengthFault(text: string, path: readonly PropertyKey[], maxLength?: number): InputProblem | undefined {
  if (text.length <= (maxLength === undefined ? defaultMaxLength : lengthAllowed(maxLength))) return undefined;
  const message = maxLength === undefined ? 'is too long' : `must have at most ${maxLength} characters`;
  return { path, code: 'too_big', message };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the first fault that `find` finds in a list. */
function firstFault<T>(list: Iterable<T>, find: (item: T) => InputProblem | undefined): InputProblem | undefined {
  for (const item of list) {
    const fault = find(item);
    if (fault) return fault;
  }
  return undefined;
}

/** Returns true if a value matches one option of a union, by its type and its literal fields. */
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
 * Returns the first text in a value that is too long for its schema. Inspects nothing but lengths, so that no check,
 * regular expression or function of the schema runs on a text of unbounded length. Values that a schema accepts
 * unchecked (`unknown`) are validated elsewhere, by their own schema.
 */
function findLongText(schema: z.$ZodType, value: unknown, path: readonly PropertyKey[]): InputProblem | undefined {
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
      // If no option fits, the value is refused in any case, but only when it is parsed.
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
      return typeof value === 'string' ? lengthFault(value, path, findMaxCharacters(def)) : undefined;
    default:
      break;
  }
  return typeof value === 'string' ? lengthFault(value, path) : undefined;
}

/**
 * Validates an external value against a schema, text lengths first. Always returns a result: if a check throws on a
 * value (for example a length check on an object with an incomparable `length`), that is a fault of the value.
 */
export function readInput<Schema extends z.$ZodType>(schema: Schema, value: unknown): InputResult<z.output<Schema>> {
  try {
    const long = findLongText(schema, value, []);
    if (long) return { faults: [long] };
    const result = z.safeParse(schema, value, { error: describeInputIssue });
    return result.success ? { data: result.data } : { faults: result.error.issues };
  } catch {
    return { faults: [{ path: [], code: 'unreadable', message: 'is not valid' }] };
  }
}
