import { writeFileSync } from 'node:fs';
import {
  makeBoxes,
  makeBoxKeys,
  makeNumbers,
  makeRecovery,
  makeRefusedKeys,
  makeSeeds,
  makeWrapped,
} from './vectors/accounts.ts';
import { makeEncodings } from './vectors/encodings.ts';
import { makeLinking } from './vectors/linking.ts';
import { makeLists } from './vectors/lists.ts';
import { fixRandomBytes } from './vectors/make.ts';
import { makeSignatures, makeStatements } from './vectors/signatures.ts';

// Writes vectors/nolo.json, which other implementations check. The file is the same each time.

fixRandomBytes();
const { lists, vectors } = await makeLists();
const newest = lists.state('covered');
const all = {
  encodings: await makeEncodings(),
  signatures: await makeSignatures(),
  statements: await makeStatements(),
  lists: vectors,
  boxKeys: await makeBoxKeys('covered', newest),
  seeds: await makeSeeds(),
  refusedKeys: await makeRefusedKeys(),
  boxes: await makeBoxes(),
  recovery: await makeRecovery(newest.identity),
  wrapped: await makeWrapped(),
  numbers: await makeNumbers(newest),
  linking: await makeLinking(newest),
};

/** Writes each vector on a line of its own. */
function write(value: unknown, indent: string, depth: number): string {
  if (depth === 0 || typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((one) => `${inner}${JSON.stringify(one)}`);
    return items.length === 0 ? '[]' : `[\n${items.join(',\n')}\n${indent}]`;
  }
  const fields = Object.entries(value).map(([key, one]) => `${inner}"${key}": ${write(one, inner, depth - 1)}`);
  return `{\n${fields.join(',\n')}\n${indent}}`;
}

writeFileSync(new URL('../vectors/nolo.json', import.meta.url), `${write(all, '', 3)}\n`);
