import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = import.meta.dirname;
const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.startsWith('locks.'));
const linesOf = (name: string) => readFileSync(join(folder, name), 'utf8').split('\n');

test('only locks.ts locks rows, in its fixed order; a query that skips locked rows never waits', () => {
  const locking = /\bfor (?:no key update|update|share|key share)\b|pg_advisory/;
  const found = files.flatMap((name) =>
    linesOf(name)
      .filter((line) => locking.test(line) && !line.includes('skip locked') && !/^\s*(?:\/\/|\*|\/\*)/.test(line))
      .map((line) => `${name}: ${line.trim()}`),
  );
  expect(files.length).toBeGreaterThan(15);
  expect(found).toEqual([]);
});
