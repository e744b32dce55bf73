import { createLog } from './log.ts';
import { createReadiness, type ReadinessChecks } from './readiness.ts';
import { createRegistry } from './telemetry.ts';

const { jest } = import.meta;

/** Simulates a process whose dependencies the test controls. */
function process() {
  const lines: { level: string; dependency?: string; msg: string }[] = [];
  const log = createLog({
    service: 'test',
    destination: { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]) },
  });
  const state = { checks: {} as ReadinessChecks, failing: false, hanging: false, leaving: false, calls: 0 };
  const registry = createRegistry('test');
  const readiness = createReadiness({
    check: async () => {
      state.calls += 1;
      if (state.hanging) await new Promise(() => undefined);
      if (state.failing) throw new Error('boom');
      return state.checks;
    },
    isLeaving: () => state.leaving,
    registry,
    log,
  });
  return {
    state,
    readiness,
    lines,
    async up(dependency: string) {
      const line = (await registry.metrics())
        .split('\n')
        .find((text) => text.startsWith(`nolo_dependency_up{dependency="${dependency}"`));
      return line && Number(line.split(' ').at(-1));
    },
  };
}

const answers = { postgres: { ok: true }, nats: { ok: true } };
const starved = { postgres: { ok: false, detail: 'PostgreSQL does not answer' }, nats: { ok: true } };

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
afterEach(() => void jest.useRealTimers());
const pass = (ms = 10_000) => jest.advanceTimersByTimeAsync(ms);

test('a process becomes ready once each dependency has been up at least once, and not before', async () => {
  const { state, readiness } = process();
  state.failing = true;
  expect((await readiness.answer()).ready).toBe(false);
  state.failing = false;
  state.checks = starved;
  await pass();
  expect(await readiness.answer()).toEqual({ ready: false, checks: starved });
  state.checks = { postgres: { ok: true }, nats: { ok: false }, mail: { ok: false, optional: true } };
  await pass();
  expect((await readiness.answer()).ready).toBe(true);
});

test('failing shared dependencies keep replicas ready, and show in the gauge, the log and the answer', async () => {
  const { state, readiness, lines, up } = process();
  state.checks = answers;
  expect(await readiness.answer()).toEqual({ ready: true, checks: answers });
  expect(await up('postgres')).toBe(1);
  state.checks = starved;
  await pass();
  expect(await readiness.answer()).toEqual({ ready: true, checks: starved });
  expect([await up('postgres'), await up('nats')]).toEqual([0, 1]);
  await pass();
  await readiness.answer();
  const getLoggedChanges = () => lines.map(({ level, dependency }) => [level, dependency]);
  expect(getLoggedChanges()).toEqual([['warn', 'postgres']]);
  state.checks = answers;
  await pass();
  expect(await readiness.answer()).toEqual({ ready: true, checks: answers });
  expect(getLoggedChanges()).toEqual([
    ['warn', 'postgres'],
    ['info', 'postgres'],
  ]);
});

test('a hanging check blocks neither probes nor scrapes of a ready process, and runs only once', async () => {
  const { state, readiness, up } = process();
  state.checks = answers;
  await readiness.answer();
  state.hanging = true;
  await pass();
  const began = state.calls;
  const all = Promise.all(Array.from({ length: 20 }, () => readiness.answer()));
  await pass(1_000);
  expect((await all).every(({ ready }) => ready)).toBe(true);
  expect(state.calls).toBe(began + 1);
  await pass(2_500);
  // The process is stuck by then, so everything that was up is down.
  const scraped = up('nats');
  await pass(2_000);
  expect(await scraped).toBe(0);
});

test('a process that loses a dependency of its own is not ready until it is back', async () => {
  const { state, readiness } = process();
  state.checks = { nats: { ok: true }, workers: { ok: true, own: true } };
  expect((await readiness.answer()).ready).toBe(true);
  state.checks = { nats: { ok: false }, workers: { ok: false, own: true } };
  await pass();
  expect((await readiness.answer()).ready).toBe(false);
  state.checks = { nats: { ok: false }, workers: { ok: true, own: true } };
  await pass();
  expect((await readiness.answer()).ready).toBe(true);
});

test('a stopping process is not ready, whatever its dependencies answer', async () => {
  const { state, readiness } = process();
  state.checks = answers;
  expect((await readiness.answer()).ready).toBe(true);
  state.leaving = true;
  expect(await readiness.answer()).toMatchObject({ ready: false, checks: { process: { detail: 'stopping' } } });
});
