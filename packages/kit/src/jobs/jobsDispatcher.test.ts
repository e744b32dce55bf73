import { createJobDispatcher, type JobDispatcher } from './jobsDispatcher.ts';
import type { ClaimedJob, DueJob } from './jobsTable.ts';

const row = (id: string): ClaimedJob => ({
  id,
  queue: 'queue',
  leftMs: 0,
  payload: {},
  attempts: 1,
  repeats: false,
  traceparent: null,
});

/** Simulates a table of due rows, with handlers that end on the test's command. */
function createTable(concurrency: number) {
  const due: string[] = [];
  const early = new Map<string, DueJob>();
  const claims: number[] = [];
  const under = new Map<string, (next?: DueJob) => void>();
  const begun: string[] = [];
  const reminders: DueJob[] = [];
  let broken: Error | undefined;
  const intake: JobDispatcher = createJobDispatcher({
    concurrency,
    async claim(limit) {
      if (broken) throw broken;
      claims.push(limit);
      return due.splice(0, limit).map(row);
    },
    findWaiting: async (ids) => new Map(ids.flatMap((id) => (early.has(id) ? [[id, early.get(id) as DueJob]] : []))),
    run({ id }, release) {
      begun.push(id);
      return new Promise((resolve) => {
        under.set(id, (next) => {
          under.delete(id);
          release();
          resolve(next);
        });
      });
    },
    setReminder: (one) => void reminders.push(one),
    onError: () => undefined,
  });
  return {
    intake,
    due,
    early,
    claims,
    begun,
    reminders,
    end: (id: string, next?: DueJob) => under.get(id)?.(next),
    breakDown: (error: Error) => void (broken = error),
  };
}

const waitForEventLoop = async () => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
};

describe('the job intake', () => {
  it('starts everything due on one reminder, up to the concurrency limit, and the rest as jobs finish', async () => {
    const table = createTable(2);
    table.due.push('a', 'b', 'c');
    const reminded = table.intake.remind('b');
    await waitForEventLoop();
    expect(table.begun).toEqual(['a', 'b']);
    table.end('b');
    await waitForEventLoop();
    expect(table.begun).toEqual(['a', 'b', 'c']);
    table.end('a');
    table.end('c');
    await expect(reminded).resolves.toBeUndefined();
    await table.intake.idle();
  });

  it('claims once for reminders that arrive together', async () => {
    const table = createTable(10);
    table.due.push('a', 'b');
    void table.intake.remind('a');
    void table.intake.remind('b');
    await waitForEventLoop();
    expect(table.claims).toEqual([10]);
  });

  it('answers nothing to a reminder of a job that is gone, and the due time to one that came too early', async () => {
    const table = createTable(2);
    const later = { id: 'early', queue: 'queue', leftMs: 700 };
    table.early.set('early', later);
    await expect(Promise.all([table.intake.remind('gone'), table.intake.remind('early')])).resolves.toEqual([
      undefined,
      later,
    ]);
  });

  it('reschedules a recurring job through its own reminder, or a new one if it has none', async () => {
    const table = createTable(2);
    table.due.push('a', 'b');
    const reminded = table.intake.remind('a');
    await waitForEventLoop();
    const createDue = (id: string) => ({ id, queue: 'queue', leftMs: 50 });
    table.end('b', createDue('b'));
    table.end('a', createDue('a'));
    await waitForEventLoop();
    await expect(reminded).resolves.toEqual(createDue('a'));
    expect(table.reminders).toEqual([createDue('b')]);
  });

  it('delays answers while more jobs are due than can start', async () => {
    const table = createTable(1);
    table.due.push('a', 'b');
    const answered: string[] = [];
    void table.intake.remind('a').then(() => answered.push('a'));
    await waitForEventLoop();
    table.end('a');
    await waitForEventLoop();
    expect(table.begun).toEqual(['a', 'b']);
    expect(answered).toEqual([]);
    table.end('b');
    await waitForEventLoop();
    expect(answered).toEqual(['a']);
  });

  it('fails reminders during an outage', async () => {
    const table = createTable(1);
    table.breakDown(new Error('away'));
    await expect(table.intake.remind('a')).rejects.toThrow('away');
  });

  it('claims nothing after stop, and lets running jobs finish', async () => {
    const table = createTable(1);
    table.due.push('a', 'b');
    const reminded = table.intake.remind('a');
    const other = table.intake.remind('b');
    await waitForEventLoop();
    table.intake.stop();
    await expect(other).resolves.toMatchObject({ leftMs: 0 });
    table.end('a');
    await expect(reminded).resolves.toBeUndefined();
    await table.intake.idle();
    expect(table.begun).toEqual(['a']);
    await expect(table.intake.remind('c')).resolves.toMatchObject({ leftMs: 0 });
  });
});
