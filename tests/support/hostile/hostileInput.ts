import fc from 'fast-check';
import * as z from 'zod/mini';

/** JSON Schema, as far as generating values needs it. */
interface Shape {
  $ref?: string;
  $defs?: Record<string, Shape>;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Shape[];
  oneOf?: Shape[];
  type?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: Shape;
  maxItems?: number;
  properties?: Record<string, Shape>;
  required?: string[];
}

type Arbitrary<T = unknown> = fc.Arbitrary<T>;

/** Values that have broken programs before. */
const nastyTexts: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\u202e\u200b\ufeff',
  '𝔘𝔫𝔦𝔠𝔬𝔡𝔢 👩‍👩‍👧‍👦',
  'x'.repeat(5_000),
  'é'.repeat(40_000),
  "'; drop table users; --",
  '%',
  '_%\\',
  '\\',
  '../../../etc/passwd',
  '//evil.example/x',
  'https://evil.example/x',
  'javascript:alert(1)',
  '<img src=x onerror=alert(1)>',
  '{{7*7}}${7*7}',
  '__proto__',
  'constructor',
  'null',
  'undefined',
  'NaN',
  '-1',
  '0x10',
  '1e999',
  '9007199254740993',
  '99999999999999999999999999',
  '+27821234567',
  '+',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  'FFFFFFFF-FFFF-4FFF-8FFF-FFFFFFFFFFFF',
  '{"a":1}',
  'a@b',
  '@',
];

const nastyNumbers = [0, -0, -1, 0.5, 1e308, -1e308, 5e-324, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 53) - 2, 2 ** 63];

/** Placeholders for values too deep or too wide for this process to build; `stringifyHostileValue` writes them out. */
const monsters: Readonly<Record<string, string>> = {
  '@@deep@@': '['.repeat(5_000) + ']'.repeat(5_000),
  '@@deeper@@': `${'{"a":'.repeat(12_000)}1${'}'.repeat(12_000)}`,
  '@@wide@@': JSON.stringify(Array(12_000).fill(1)),
  '@@many@@': JSON.stringify(Object.fromEntries(Array.from({ length: 9_000 }, (_, index) => [`k${index}`, 1]))),
};

/** Objects that pretend to be something else when code reads their length or compares them. */
const disguises: readonly unknown[] = [
  { length: { valueOf: 1, toString: 1 } },
  { length: { length: { length: 1 } } },
  { length: -1 },
  { length: '5' },
  { length: 1e308, 0: 'a' },
  { size: { valueOf: 1, toString: 1 } },
  { valueOf: 1, toString: 1 },
  { toString: null },
  { toJSON: 1 },
  { constructor: { prototype: { length: 1 } }, prototype: 1 },
  { hasOwnProperty: 1, length: 3 },
  [[{ length: { toString: 1 } }]],
];

/** Converts a value to JSON, with placeholders written out. */
export function stringifyHostileValue(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.replace(/"(@@\w+@@)"/g, (whole, name: string) => monsters[name] ?? whole);
}

export function createHostileValueArbitrary(known: readonly string[]): Arbitrary {
  return fc.oneof(
    fc.constantFrom<unknown>(
      ...nastyTexts,
      ...nastyNumbers,
      ...known,
      null,
      true,
      false,
      [],
      {},
      ...Object.keys(monsters),
    ),
    fc.constantFrom(...disguises),
    fc.string({ unit: 'binary', maxLength: 50 }),
    fc.jsonValue({ maxDepth: 3 }),
    fc.double(),
    fc.constantFrom<unknown>(...known).map((id) => [id, id]),
    fc.array(fc.constantFrom(...nastyTexts), { maxLength: 200 }),
  );
}

/** Generates roughly what a schema allows, to pass the first checks and reach deeper code. */
function allowedBy(shape: Shape, known: readonly string[], root: Shape): Arbitrary {
  if (shape.$ref) return allowedBy(root.$defs?.[shape.$ref.split('/').at(-1) ?? ''] ?? {}, known, root);
  if ('const' in shape) return fc.constant(shape.const);
  if (shape.enum) return fc.constantFrom(...shape.enum);
  const choices = shape.anyOf ?? shape.oneOf;
  if (choices) return fc.oneof(...choices.map((one) => allowedBy(one, known, root)));
  switch (shape.type) {
    case 'string': {
      if (shape.format === 'uuid') return fc.oneof(fc.constantFrom(...known), fc.uuid());
      const maxLength = Math.min(shape.maxLength ?? 200, 200);
      return fc.oneof(fc.string({ minLength: shape.minLength ?? 0, maxLength }), fc.constantFrom(...known));
    }
    case 'integer':
      return fc.integer({ min: Math.max(shape.minimum ?? 0, -1_000), max: Math.min(shape.maximum ?? 1_000, 1_000) });
    case 'number':
      return fc.double({ min: shape.minimum ?? 0, max: 1_000, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(allowedBy(shape.items ?? {}, known, root), { maxLength: Math.min(shape.maxItems ?? 5, 60) });
    case 'object': {
      const properties = Object.entries(shape.properties ?? {});
      return fc.record(Object.fromEntries(properties.map(([name, inner]) => [name, allowedBy(inner, known, root)])), {
        requiredKeys: shape.required ?? [],
      });
    }
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** Replaces one part of a value, at any depth; `pathChoices` select the place. */
function replaceSomewhere(value: unknown, pathChoices: readonly number[], instead: unknown): unknown {
  const [turn, ...rest] = pathChoices;
  if (turn === undefined || typeof value !== 'object' || value === null) return instead;
  const keys = Object.keys(value);
  const key = keys[turn % (keys.length + 1)];
  if (key === undefined) return instead;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<string, unknown>;
  copy[key] = replaceSomewhere(copy[key], rest, instead);
  return copy;
}

/** Generates a part of a request: correct, with one error, or completely wrong. */
export function createSchemaValueArbitrary(schema: z.ZodMiniType, known: readonly string[]): Arbitrary {
  const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape;
  const allowed = allowedBy(shape, known, shape);
  const wrong = createHostileValueArbitrary(known);
  const names = Object.keys(shape.properties ?? {});
  const name = fc.constantFrom(...names, '__proto__', 'extra', 'toString');
  const spoiled = fc.tuple(allowed, name, wrong, fc.boolean()).map(([value, key, instead, remove]) => {
    if (typeof value !== 'object' || value === null) return instead;
    const copy = Object.assign(Object.create(null) as Record<string, unknown>, value);
    if (remove) delete copy[key];
    else copy[key] = instead;
    return copy;
  });
  const pathChoices = fc.array(fc.nat({ max: 12 }), { minLength: 1, maxLength: 4 });
  const spoiledInside = fc.tuple(allowed, pathChoices, wrong).map(([value, where, instead]) => {
    return replaceSomewhere(value, where, instead);
  });
  return fc.oneof(
    { weight: 2, arbitrary: allowed },
    { weight: 4, arbitrary: spoiled },
    { weight: 4, arbitrary: spoiledInside },
    { weight: 1, arbitrary: wrong },
  );
}

/** Formats a value for the wire, mostly as JSON. */
export function toBodyText(value: unknown, spoil: number): string {
  const text = stringifyHostileValue(value);
  switch (spoil) {
    case 0:
      return text.slice(0, Math.floor(text.length / 2));
    case 1:
      return `${text}${text}`;
    case 2:
      return text.replaceAll('"', "'");
    default:
      return text;
  }
}

/** Node refuses addresses of more than 16 KiB before our code sees them. */
const longestQuery = 10_000;

export function toQueryText(value: unknown, spoil: number): string {
  const raw = ['%', '%ff%fe', '&&&===', 'q[]=1&q[a]=2', 'limit=1&limit=2', '__proto__[x]=1', '?'.repeat(50)];
  if (spoil < 3) return raw[(spoil * 3) % raw.length] ?? '';
  if (typeof value !== 'object' || value === null)
    return encodeURIComponent(textOf(value).toWellFormed()).slice(0, longestQuery);
  return Object.entries(value)
    .flatMap(([name, inner]) => (Array.isArray(inner) ? inner.slice(0, 5).map((one) => [name, one]) : [[name, inner]]))
    .map((pair) => pair.map((one) => encodeURIComponent(textOf(one).toWellFormed())).join('='))
    .join('&')
    .slice(0, longestQuery);
}

/** Formats a value as one segment of a path. */
export function toPathSegment(value: unknown, spoil: number): string {
  const raw = ['%', '%ff', '%00', '%2e%2e%2f%2e%2e%2f', '%E0%A4%A'];
  return spoil < raw.length ? (raw[spoil] ?? '') : encodeURIComponent(textOf(value).toWellFormed()).slice(0, 4_000);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined');
}
