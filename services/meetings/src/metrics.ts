import { sampleOnScrape, Counter, Gauge, type Registry } from '@nolo/kit/telemetry';

/** Counts queried on each scrape. Every replica reports equal values. */
export interface MeetingCounts {
  meetings(): Promise<number>;
  participants(): Promise<number>;
  calls(): Promise<number>;
  nodes(): number;
}

export interface MeetingsMetrics {
  calls: Counter<'outcome'>;
}

/** Creates all metrics of this service. */
export function createMeetingsMetrics(registry: Registry, counted: MeetingCounts): MeetingsMetrics {
  const registers = [registry];
  const gauge = (name: string, help: string, count: () => Promise<number>) => {
    const sample = sampleOnScrape(count);
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const found = await sample();
        if (found === undefined) this.remove();
        else this.set(found);
      },
    });
  };
  gauge('nolo_meetings_live', 'Meetings with at least one participant.', () => counted.meetings());
  gauge('nolo_participants', 'People in rooms and lobbies.', () => counted.participants());
  gauge('nolo_calls_open', 'Ringing and ongoing calls.', () => counted.calls());
  new Gauge({
    name: 'nolo_media_nodes',
    help: 'Media nodes known to this replica.',
    registers,
    collect() {
      this.set(counted.nodes());
    },
  });
  return {
    calls: new Counter({
      name: 'nolo_calls_total',
      help: 'Calls ended on this replica, by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
  };
}
