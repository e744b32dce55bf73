import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openChildLogs } from '../../scripts/childLog.ts';
import { startNodeChild } from '../../scripts/childProcess.ts';
import { isAlive, identifyProcess } from '../../scripts/processes.ts';
import type { CommandError } from '../../scripts/commandError.ts';
import { superviseUnit, type Supervision } from '../../scripts/supervisor.ts';

const home = mkdtempSync(join(tmpdir(), 'nolo-supervisor-'));
const logs = openChildLogs(home);
const units: Supervision[] = [];

afterEach(async () => {
  await Promise.all(units.splice(0).map(async (unit) => await unit.stop()));
});
afterAll(() => {
  logs.close();
  rmSync(home, { recursive: true, force: true });
});

function fakeUnit(fake: string): { unit: Supervision; notices: string[]; givenUp: CommandError[] } {
  const notices: string[] = [];
  const givenUp: CommandError[] = [];
  const log = logs.of(`fake-${fake}`);
  const unit = superviseUnit(
    {
      name: 'pump',
      log,
      launch: async () =>
        await startNodeChild({
          module: 'tests/launcher/fixtures/fakeService.mjs',
          env: { FAKE: fake },
          onLine: log.line,
          announcesReady: true,
          graceSeconds: 1,
        }),
    },
    {
      onGiveUp: (reason) => givenUp.push(reason),
      onNotice: (line) => notices.push(line),
      backOffMs: () => 20,
    },
  );
  units.push(unit);
  return { unit, notices, givenUp };
}

describe('a supervised unit', () => {
  test('is restarted after it was killed', async () => {
    const { unit, notices } = fakeUnit('');
    await unit.start();
    const first = unit.pid;
    await unit.kill('SIGKILL');
    await unit.ready();
    expect(unit.pid).toBeDefined();
    expect(unit.pid).not.toBe(first);
    expect(notices).toEqual(['pump ended (signal SIGKILL) and restarts in 0.02 s.']);
  });

  test('stays down when killed on hold, until it is started', async () => {
    const { unit } = fakeUnit('');
    await unit.start();
    await unit.kill('SIGKILL', { hold: true });
    expect(unit.pid).toBeUndefined();
    await unit.start();
    expect(unit.pid).toBeDefined();
  });

  test('is a new process after a restart', async () => {
    const { unit, notices } = fakeUnit('');
    await unit.start();
    const first = unit.pid;
    await unit.restart();
    expect(unit.pid).not.toBe(first);
    expect(notices).toEqual([]);
  });

  test('is given up after five deaths in a row, with its last lines', async () => {
    const { unit, notices, givenUp } = fakeUnit('dies');
    await expect(unit.start()).rejects.toThrow(/^pump ended 5 times in a row \(exit code 3\) and is not restarted/);
    expect(givenUp).toHaveLength(1);
    expect(givenUp[0]?.message).toContain('the pump is broken');
    expect(notices).toHaveLength(4);
    expect(readFileSync(join(home, 'logs/fake-dies.log'), 'utf8')).toContain('"msg":"the pump is broken"');
  });

  test('is given up at once if its configuration is wrong', async () => {
    const { unit, notices } = fakeUnit('misconfigured');
    await expect(unit.start()).rejects.toThrow(/could not start \(exit code 78\)[^]*PUMP must be a number\./);
    expect(notices).toEqual([]);
  });

  test('is killed if it does not stop', async () => {
    const { unit } = fakeUnit('deaf');
    await unit.start();
    const identity = identifyProcess(unit.pid!);
    await unit.stop();
    expect(identity && isAlive(identity)).toBe(false);
  });

  test('can be stopped before it is ready', async () => {
    const { unit } = fakeUnit('slow');
    const [outcome] = await Promise.allSettled([unit.start(), unit.stop()]);
    expect(outcome).toMatchObject({ reason: { message: 'pump was stopped before it was ready.' } });
    expect(unit.pid).toBeUndefined();
  });
});
