/** Measures what it costs a service to look up a user's plan limits: cached, and from billing in another process. */
import { connectBus } from '@nolo/kit/bus';
import { systemClock } from '@nolo/kit/clock';
import { createEntitlementsLookup, type EntitlementsLookup } from '@nolo/installation/entitlements';
import { newId } from '@nolo/kit/ids';
import { createStopStack } from '@nolo/kit/lifecycle';
import { createLog } from '@nolo/kit/log';
import { closeRedis, connectRedis } from '@nolo/kit/redis';
import { createRegistry } from '@nolo/kit/telemetry';
import { allowanceOf, unlimitedAllowance, type LimitedFeature } from '@nolo/rules';
import { startBillingTestbed } from '../support/stacks/billingTestbed.ts';
import { describeConditions, readCpuMs, printTable, quantile, printLine } from './support/measure.ts';

const people = Number(process.argv[2] ?? 10_000);
const checksPerPerson = 20;

/** Returns the time of each check in milliseconds, and the CPU time of one, including everything in this process. */
async function measure(of: EntitlementsLookup<LimitedFeature>, ids: readonly string[]) {
  const times: number[] = [];
  const before = readCpuMs(process.pid);
  for (const id of ids) {
    const begun = performance.now();
    await of(id);
    times.push(performance.now() - begun);
  }
  return { times, cpu: (readCpuMs(process.pid) - before) / ids.length };
}

const row = (name: string, { times, cpu }: Awaited<ReturnType<typeof measure>>) => [
  name,
  String(times.length),
  `${(quantile(times, 0.5) * 1_000).toFixed(1)}`,
  `${(quantile(times, 0.99) * 1_000).toFixed(1)}`,
  `${(cpu * 1_000).toFixed(1)}`,
];

/** Returns the ids in random order, as requests arrive. */
function shuffled(ids: readonly string[]): string[] {
  return ids
    .map((id) => [Math.random(), id] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, id]) => id);
}

const { backing, entitlements: client, ...around } = await startBillingTestbed();
const stack = createStopStack();
try {
  await around.start('calls');
  const log = createLog({ service: 'load', level: 'warn' });
  const metrics = createRegistry('load');
  const bus = await connectBus({ url: backing.natsUrl, name: 'load', log });
  stack.push('bus', () => bus.close());
  const redis = await connectRedis({ url: backing.redisUrl, log });
  stack.push('redis', () => closeRedis(redis));
  const context = {
    bus,
    redis,
    clock: systemClock,
    log,
    metrics,
    onStop: (component: string, stop: () => void) => stack.push(component, stop),
    // Billing's events are not part of a check.
    consume: () => undefined,
  };
  const of = createEntitlementsLookup<LimitedFeature>(context, {
    billing: { entitlements: client, events: { readEvents: () => Promise.reject(new Error('Nobody asks.')) } },
    everything: unlimitedAllowance,
    free: allowanceOf('free'),
  });

  printLine(`\nEntitlements\n${describeConditions()}`);
  const ids = Array.from({ length: people }, () => newId());
  // Warms up connections and the compiler.
  await measure(
    of,
    Array.from({ length: 2_000 }, () => newId()),
  );
  const unknownUsers = await measure(of, ids);
  const known = await measure(of, shuffled(Array.from({ length: checksPerPerson }, () => ids).flat()));
  printTable(
    ['', 'checks', 'p50, µs', 'p99, µs', 'CPU µs each'],
    [row('new user, fetched from billing', unknownUsers), row('known user', known)],
  );
  printLine(describeConditions());
} finally {
  await stack.stop();
  await around.stop();
}
process.exit();
