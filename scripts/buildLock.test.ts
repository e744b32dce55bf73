import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeBuildLock } from './buildLock.ts';

const folder = mkdtempSync(join(tmpdir(), 'nolo-lock-'));

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('takeBuildLock', () => {
  it('lets one process in at a time, and reports once that another is waiting', async () => {
    const file = join(folder, 'one.lock');
    const events: string[] = [];
    const first = await takeBuildLock(file);
    const second = takeBuildLock(file, () => {
      events.push('waits');
      // Runs before the first one releases the lock.
      setImmediate(() => {
        events.push('first lets go');
        first();
      });
    });
    const release = await second;
    events.push('second has it');
    release();
    expect(events).toEqual(['waits', 'first lets go', 'second has it']);
    expect(existsSync(file)).toBe(false);
  });

  it('takes over a lock left by a dead process or a partial write', async () => {
    for (const left of ['{"pid":2147483646,"startedAt":"1"}', '']) {
      const file = join(folder, 'left.lock');
      writeFileSync(file, left);
      const release = await takeBuildLock(file);
      release();
      expect(existsSync(file)).toBe(false);
    }
  });
});
