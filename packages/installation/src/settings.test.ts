import { followBarredHosts } from './barredHosts.ts';
import { createLog } from '@nolo/kit/log';
import type { PeriodicTaskHandle, PeriodicTask } from '@nolo/kit/repeat';
import { followOperatorSettings, type SettingsContext } from './settings.ts';

const minute = 60_000;

/** Simulates identity and the context of a process; time passes on the test's command. */
function installation() {
  let time = Date.UTC(2026, 10, 30);
  const lines: { level: string; what?: string }[] = [];
  const tasks: PeriodicTask[] = [];
  const listeners: (() => void)[] = [];
  const state = { away: false, value: 'false', version: '1', hosts: ['evil.example'] };
  const answer = async <T>(value: T): Promise<T> => {
    if (state.away) throw new Error('Identity is away');
    return value;
  };
  const add = (task: PeriodicTask): PeriodicTaskHandle => {
    tasks.push(task);
    return { at: () => undefined, endQuietPeriod: () => undefined };
  };
  const context: SettingsContext = {
    clock: { now: () => new Date(time) },
    log: createLog({
      service: 'test',
      level: 'debug',
      destination: { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]) },
    }),
    repeat: add,
    onStop: () => undefined,
    bus: {
      subscribe: (_subject, listener) => {
        listeners.push(listener as () => void);
        return () => undefined;
      },
      onReconnect: () => () => undefined,
    },
  };
  return {
    ground: context,
    state,
    settings: followOperatorSettings(context, {
      list: () => answer({ settings: [{ name: 'social', value: state.value }] }),
      read: (rows) => Object.fromEntries(rows.map(({ name, value }) => [name, value])),
    }),
    barredHosts: followBarredHosts(context, { list: () => answer({ version: state.version, hosts: state.hosts }) }),
    pass: (ms: number) => void (time += ms),
    poll: async () => {
      for (const { run } of tasks) await run();
    },
    warnings: () => lines.filter(({ level }) => level === 'warn').map(({ what }) => what),
  };
}

test('the last known value is kept for a while when identity is unreachable, and then becomes unknown', async () => {
  const { settings, barredHosts, state, pass, poll, warnings } = installation();
  await poll();
  expect([settings.isKnown(), barredHosts.isKnown()]).toEqual([true, true]);
  state.away = true;
  for (let minutes = 0; minutes < 14; minutes += 1) {
    pass(minute);
    await poll();
  }
  expect([settings.isKnown(), barredHosts.isKnown()]).toEqual([true, true]);
  // A single warning for each outage, and no warning before expiry.
  expect(warnings()).toEqual(['settings', 'barred hosts']);
  pass(2 * minute);
  expect([settings.isKnown(), barredHosts.isKnown()]).toEqual([false, false]);
  expect([settings.isKnown(), barredHosts.isKnown()]).toEqual([false, false]);
  expect(warnings()).toEqual(['settings', 'barred hosts', 'settings', 'barred hosts']);
  // Known values are not forgotten: a setting that was off does not turn on again.
  expect(settings.current()).toEqual({ social: 'false' });
  expect([...barredHosts.current()]).toEqual(['evil.example']);
  state.away = false;
  await poll();
  expect([settings.isKnown(), barredHosts.isKnown()]).toEqual([true, true]);
});

test('a value never received from identity is unknown, and a decision waiting for it is logged once', async () => {
  const { settings, barredHosts, state, poll, warnings } = installation();
  state.away = true;
  // A starting process has not queried yet.
  expect([settings.isKnown(), barredHosts.isKnown(), warnings()]).toEqual([false, false, []]);
  await poll();
  await poll();
  expect(warnings()).toEqual([]);
  for (let turn = 0; turn < 3; turn += 1) expect(settings.isKnown() || barredHosts.isKnown()).toBe(false);
  expect(warnings()).toEqual(['settings', 'barred hosts']);
  state.away = false;
  await poll();
  expect(settings.isKnown() && barredHosts.isKnown()).toBe(true);
});
