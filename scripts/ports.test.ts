import { jest } from '@jest/globals';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from './ports.ts';

const reservationsFolder = join(tmpdir(), 'nolo-ports');
const reservationFile = (port: number) => join(reservationsFolder, String(port));
/** Makes the next random draws return these ports. */
const draw = (...ports: number[]) => {
  const drawn = jest.spyOn(Math, 'random');
  for (const port of ports) drawn.mockReturnValueOnce((port - 20_000) / 12_000);
};
const [first, second] = [31_901, 31_902];
const forget = () => [first, second].forEach((port) => rmSync(reservationFile(port), { force: true }));

beforeEach(() => {
  mkdirSync(reservationsFolder, { recursive: true });
  forget();
});
afterEach(() => {
  jest.restoreAllMocks();
  forget();
});

test('a port reserved by another process that is not listening yet is not given out again', async () => {
  writeFileSync(reservationFile(first), String(process.ppid));
  draw(first, second);
  expect(await findFreePort()).toBe(second);
  expect(readFileSync(reservationFile(second), 'utf8')).toBe(String(process.pid));
});

test('a port left by a dead process is given out again', async () => {
  // Process IDs are always far below this.
  writeFileSync(reservationFile(first), String(2 ** 30));
  draw(first, second);
  expect(await findFreePort()).toBe(first);
  expect(existsSync(reservationFile(first))).toBe(true);
});
