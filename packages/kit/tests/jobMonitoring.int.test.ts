import { HoldJobError, type Handler } from '@nolo/kit/jobs';
import { createRegistry } from '@nolo/kit/telemetry';
import { getCurrentSpan, startTrace, startTracing, withCurrentSpan } from '@nolo/kit/tracing';
import { eventually } from '@nolo/testing';
import { startTraceReceiver } from '../../../tests/support/stacks/traceReceiver.ts';
import { db, inMs, log, queueOf, replica, rowOf, working } from './jobScene.ts';

describe('monitoring of a queue', () => {
  it('shows what is waiting, late, in progress and parked', async () => {
    const queue = queueOf({ attempts: 1, concurrency: 1 });
    const metrics = createRegistry('test');
    const hold = Promise.withResolvers<void>();
    const jobs = working(queue, ({ payload }) => (payload.n === 1 ? hold.promise : Promise.reject(new Error('no'))), {
      metrics,
    });
    const parked = await jobs.add(db, queue, { n: 2 });
    await eventually(async () => (await rowOf(parked))?.state === 'parked');
    const active = await jobs.add(db, queue, { n: 1 });
    await eventually(async () => (await rowOf(active))?.state === 'active');
    await jobs.add(db, queue, { n: 3 }, { dueAt: inMs(-100_000) });
    await jobs.add(db, queue, { n: 4 }, { dueAt: inMs(100_000) });
    const shown = (await metrics.metrics()).split('\n').filter((text) => text.includes(queue.name));
    const valueOf = (name: string, labels: string) =>
      Number(
        shown
          .find((text) => text.startsWith(`${name}{`) && text.includes(labels))
          ?.split(' ')
          .at(-1),
      );
    for (const state of ['waiting', 'late', 'active', 'parked'])
      expect([state, valueOf('nolo_jobs', `state="${state}"`)]).toEqual([state, 1]);
    expect(valueOf('nolo_jobs_oldest_seconds', 'state="late"')).toBeGreaterThan(99);
    expect(valueOf('nolo_job_attempts_total', 'result="parked"')).toBe(1);
    expect(valueOf('nolo_job_lateness_seconds_count', queue.name)).toBe(2);
    // A process that works on no queue also reports them, so that a queue without a worker is noticed.
    const elsewhere = createRegistry('test');
    replica({ metrics: elsewhere });
    expect(await elsewhere.metrics()).toMatch(new RegExp(`nolo_jobs{[^}]*queue="${queue.name}",state="late"[^}]*} 1`));
    hold.resolve();
    await eventually(async () => (await rowOf(active)) === undefined);
  });

  it('shows what is on hold, and why, until it continues', async () => {
    const queue = queueOf();
    const metrics = createRegistry('test');
    const state = { isOnHold: true };
    const handler: Handler<{ n: number }> = async () => {
      if (state.isOnHold) throw new HoldJobError('plan_unknown', 30_000);
    };
    const jobs = working(queue, handler, { metrics });
    const id = await jobs.add(db, queue, { n: 1 });
    await eventually(async () => (await rowOf(id))?.failure === 'held:plan_unknown');
    expect(await rowOf(id)).toMatchObject({ state: 'waiting', attempts: 0 });
    expect(await metrics.metrics()).toMatch(
      new RegExp(`nolo_jobs_held{[^}]*queue="${queue.name}",code="plan_unknown"[^}]*} 1`),
    );
    state.isOnHold = false;
    await jobs.move(db, queue, id, inMs(0));
    await eventually(async () => (await rowOf(id)) === undefined);
    const elsewhere = createRegistry('test');
    replica({ metrics: elsewhere });
    expect(await elsewhere.metrics()).not.toContain(`nolo_jobs_held{queue="${queue.name}"`);
  });

  it('follows a trace from the request to the work', async () => {
    const receiver = await startTraceReceiver();
    const config = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_TRACES_SAMPLER_ARG: 1 };
    const stopTracing = await startTracing({ service: 'test', config, log });
    try {
      const queue = queueOf();
      const traces: (string | undefined)[] = [];
      const jobs = working(queue, async () => void traces.push(getCurrentSpan()?.context.traceId));
      const span = startTrace('request');
      await withCurrentSpan(span, () => jobs.add(db, queue, { n: 1 }));
      span?.end();
      await jobs.add(db, queue, { n: 2 });
      await eventually(() => traces.length === 2);
      expect(new Set(traces)).toEqual(new Set([span?.context.traceId, undefined]));
    } finally {
      await stopTracing();
      await receiver.stop();
    }
  });
});
