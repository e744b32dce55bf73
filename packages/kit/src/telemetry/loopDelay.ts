import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

/** Sampling interval of the event loop's lateness while the loop is busy. */
const closeMs = 250;
/** Interval between checks whether the loop is busy. */
const seldomMs = 10_000;
/** Share of time above which the loop counts as busy; an idle process uses less than a tenth of it. */
const busyShare = 0.02;
const nanoseconds = 1e9;

const shown = { p50: 50, p90: 90, p99: 99, max: 100 } as const;

/** Names of prom-client's metrics for the same values, from a histogram that never pauses. */
const defaultMetricNames = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'].map(
  (figure) => `nodejs_eventloop_lag_${figure}_seconds`,
);

/** Interval in milliseconds that keeps prom-client's own histogram from ever waking the process. */
export const maxTimerMs = 2 ** 31 - 1;

/**
 * Measures the event loop's lateness since the last scrape. Each sample wakes the process, and four samples a second
 * would be most of an idle process's work, so the loop is sampled only while busy, and an idle one reports 0. The
 * reported values exclude the sampling interval itself.
 */
export function watchLoopDelay(registry: Registry): void {
  for (const name of defaultMetricNames) registry.removeSingleMetric(name);
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
  // Registries collect in the order of registration, so the first gauge sets all values and then resets the histogram.
  const gauges = Object.entries(shown).map(([figure, percent], at) => {
    const name = `nodejs_eventloop_lag_${figure}_seconds`;
    const help = `Event loop delay since the last scrape, ${figure}, in seconds; 0 if idle.`;
    const gauge = new Gauge({ name, help, registers, ...(at === 0 && { collect }) });
    return { gauge, percent };
  });
  function collect() {
    for (const { gauge, percent } of gauges) gauge.set(late(percent));
    delay.reset();
  }
}
