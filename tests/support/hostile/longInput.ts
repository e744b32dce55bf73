import * as z from 'zod/mini';

/** JSON Schema, as far as its texts go. */
interface Shape {
  $ref?: string;
  $defs?: Record<string, Shape>;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Shape[];
  type?: string;
  format?: string;
  minimum?: number;
  minItems?: number;
  items?: Shape;
  properties?: Record<string, Shape>;
  required?: readonly string[];
  additionalProperties?: Shape | boolean;
}

/** Input in which one text is too long. */
export interface LongInput {
  /** Path of the text: names and numbers separated by dots. */
  readonly field: string;
  readonly value: unknown;
}

/** Texts that make regular expressions, normalization or link detection slow if their work is unbounded. */
export const slowTextPieces: readonly string[] = [
  ' ',
  '.',
  'a',
  '@',
  '\u0301\u0327',
  '\u0e38\u0f71',
  'https://a.b(',
  '/',
  '%',
  '"',
];

const isText = ({ type, enum: words, const: only }: Shape): boolean =>
  type === 'string' || [...(words ?? []), only].some((word) => typeof word === 'string');

/** Returns a small value that the schema accepts, apart from its custom checks. */
function smallest(shape: Shape): unknown {
  const [first] = shape.anyOf ?? [];
  if (first) return smallest(first);
  if (shape.const !== undefined) return shape.const;
  if (shape.enum) return shape.enum[0];
  switch (shape.type) {
    case 'string':
      if (shape.format === 'uuid') return '0190a5f4-7d3e-7000-8000-000000000001';
      return shape.format === 'date-time' ? '2030-01-01T00:00:00.000Z' : 'x';
    case 'integer':
    case 'number':
      return Math.max(shape.minimum ?? 1, 1);
    case 'boolean':
      return true;
    case 'array':
      return Array.from({ length: shape.minItems ?? 0 }, () => smallest(shape.items ?? {}));
    case 'object': {
      const names = shape.required ?? [];
      return Object.fromEntries(names.map((name) => [name, smallest(shape.properties?.[name] ?? {})]));
    }
    default:
      return {};
  }
}

function variants(shape: Shape, text: string): LongInput[] {
  if (shape.anyOf) return shape.anyOf.flatMap((one) => variants(one, text));
  if (isText(shape)) return [{ field: '', value: text }];
  const under = (name: string, field: string) => (field === '' ? name : `${name}.${field}`);
  if (shape.type === 'array') {
    return variants(shape.items ?? {}, text).map(({ field, value }) => ({ field: under('0', field), value: [value] }));
  }
  if (shape.type !== 'object') return [];
  const base = smallest(shape) as Record<string, unknown>;
  const more = typeof shape.additionalProperties === 'object' ? { more: shape.additionalProperties } : {};
  return Object.entries({ ...shape.properties, ...more }).flatMap(([name, inner]) =>
    variants(inner, text).map(({ field, value }) => ({ field: under(name, field), value: { ...base, [name]: value } })),
  );
}

/** Builds an input for every text in a schema, in which only that text is long. */
export function createLongInputs(schema: z.ZodMiniType, text: string): LongInput[] {
  const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape;
  return variants(shape, text);
}
