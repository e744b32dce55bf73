import { fromHex, toHex, utf8 } from '../../src/bytes.ts';
import { decodeCanonical, encodeCanonical, type Encodable } from '../../src/encoding.ts';
import { codeOf } from './make.ts';

/** Values as JSON can say them: byte strings as `{ bytes }` in hexadecimal digits. */
type JsonValue = number | string | null | { bytes: string } | readonly JsonValue[];

const toEncodable = (value: JsonValue): Encodable => {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(toEncodable);
  return typeof value === 'object' && value !== null && 'bytes' in value ? fromHex(value.bytes) : (value as Encodable);
};

const nested = (depth: number): JsonValue => (depth === 0 ? 0 : [nested(depth - 1)]);

const integers = [0, 1, 23, 24, 255, 256, 65_535, 65_536, 4_294_967_295, 4_294_967_296, Number.MAX_SAFE_INTEGER];
const texts = [
  '',
  'a',
  'ü',
  '€',
  '😀',
  '\u0000',
  '\uFEFFa',
  'e\u0301',
  'x'.repeat(23),
  'y'.repeat(24),
  'z'.repeat(256),
];

const values: readonly JsonValue[] = [
  ...integers,
  null,
  ...texts,
  `\uFEFF${'long'.repeat(100)}`,
  ...[0, 1, 23, 24, 255, 256].map((length) => ({ bytes: 'ab'.repeat(length) })),
  [],
  [[], null, [1, 'a', { bytes: '00' }]],
  Array.from({ length: 24 }, () => null),
  Array.from({ length: 256 }, (_, index) => index % 24),
  nested(8),
];

const refused: readonly [why: string, hex: string][] = [
  ['nothing', ''],
  ['trailing bytes', '0000'],
  ['a trailing break', '00ff'],
  ['an integer in a longer form', '1817'],
  ['an integer in two bytes', '190017'],
  ['an integer in four bytes', '1a0000ffff'],
  ['an integer in eight bytes', '1b00000000ffffffff'],
  ['the integer 2^53', '1b0020000000000000'],
  ['the integer 2^64 - 1', '1bffffffffffffffff'],
  ['a negative integer', '20'],
  ['a reserved length', '1c'],
  ['an integer of unknown length', '1f'],
  ['a cut integer', '19ff'],
  ['a cut byte string', '4300ff'],
  ['a byte string with its length in a longer form', '580100'],
  ['a byte string of unknown length', '5f4100ff'],
  ['a byte string longer than memory', '5b7fffffffffffffff00'],
  ['a byte string of 4 GiB', '5affffffff00'],
  ['text with its length in a longer form', '780161'],
  ['text of unknown length', '7f6161ff'],
  ['text with a cut character', '61c3'],
  ['text with a longer form of a character', '62c080'],
  ['text with half a surrogate pair', '63eda080'],
  ['text with a character above U+10FFFF', '64f4908080'],
  ['text with a byte that no character has', '61ff'],
  ['an array with its length in a longer form', '980100'],
  ['an array of unknown length', '9f00ff'],
  ['a cut array', '8200'],
  ['an array longer than memory', '9b7fffffffffffffff'],
  ['an array of 4 billion items', '9affffffff00'],
  ['an empty map', 'a0'],
  ['a map', 'a10000'],
  ['a tag', 'c000'],
  ['the tag of big integers', 'c24100'],
  ['false', 'f4'],
  ['true', 'f5'],
  ['undefined', 'f7'],
  ['a simple value', 'e0'],
  ['null in two bytes', 'f816'],
  ['a float of 16 bits', 'f90000'],
  ['a float of 32 bits', 'fa3f800000'],
  ['a float of 64 bits', 'fb3ff0000000000000'],
  ['not a number', 'f97e00'],
  ['a break', 'ff'],
  ['nine arrays in each other', '81818181818181818100'],
  ['a refused value within an array', '8200f5'],
];

/** Encodings that every implementation accepts or refuses. */
export async function makeEncodings() {
  for (const [why, hex] of refused) {
    const code = await codeOf(() => decodeCanonical(fromHex(hex), (value) => value));
    if (code !== 'malformed') throw new Error(`${why} was not refused`);
  }
  return {
    accepted: values.map((value) => ({ value, bytes: toHex(encodeCanonical(toEncodable(value))) })),
    refused: [
      ...refused.map(([why, bytes]) => ({ why, bytes })),
      { why: 'a thousand arrays in each other', bytes: `${'81'.repeat(1_000)}00` },
      { why: 'text that is no encoding', bytes: toHex(utf8('{"n":0}')) },
    ],
  };
}
