import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

/** How often it is looked how late the event loop is, while it has something to do. */
const closeMs = 250;
/** How often it is looked whether it has. */
const seldomMs = 10_000;
/** Of its time; an idle process is busy for less than a tenth of that. */
const busyShare = 0.02;
const nanoseconds = 1e9;

const shown = { p50: 50, p90: 90, p99: 99, max: 100 } as const;

/** The names under which prom-client tells the same of a histogram that never rests. */
const usualNames = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'].map(
  (figure) => `nodejs_eventloop_lag_${figure}_seconds`,
);

/** What keeps prom-client's own histogram from ever waking the process, in milliseconds. */
export const never = 2 ** 31 - 1;

/**
 * How late what waits in this process gets its turn, since the figures were last asked for. Each look wakes the process, and
 * looks four times a second would be most of what an idle one does: so there are looks only while the loop is not idle, and
 * an idle one is late by nothing. The pause between two looks is no part of the figures.
 */
export function watchLoopDelay(registry: Registry): void {
  for (const name of usualNames) registry.removeSingleMetric(name);
  const delay = monitorEventLoopDelay({ resolution: closeMs });
  let before = performance.eventLoopUtilization();
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization > busyShare) delay.enable();
    else delay.disable();
  }, seldomMs).unref();

  const late = (percent: number): number =>
    delay.count === 0 ? 0 : Math.max(0, delay.percentile(percent) / nanoseconds - closeMs / 1_000);
  const registers = [registry];
  // Registries ask in the order of registration: the first one is asked for all, which then begin anew.
  const gauges = Object.entries(shown).map(([figure, percent], at) => {
    const name = `nodejs_eventloop_lag_${figure}_seconds`;
    const help = `How late the event loop was since it was last asked, ${figure}; 0 of one that is idle.`;
    const gauge = new Gauge({ name, help, registers, ...(at === 0 && { collect }) });
    return { gauge, percent };
  });
  function collect() {
    for (const { gauge, percent } of gauges) gauge.set(late(percent));
    delay.reset();
  }
}
