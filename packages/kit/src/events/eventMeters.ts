import type { Knex } from 'knex';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { ReadEventsReply, ReadEventsRequest } from './eventLog.ts';
import { sampleOnScrape } from '../telemetry/scrape.ts';

interface Watched {
  db: Knex;
  source: string;
  owner: { readEvents(request: ReadEventsRequest, options?: { timeoutMs?: number }): Promise<ReadEventsReply> };
  subjects: string[];
}

interface State {
  source: string;
  /** Undefined while the owner does not answer. */
  lag?: { positions: number; seconds: number };
  failed: number;
  waiting: number;
  oldestSeconds: number;
}

type HandledCounter = Counter<'source' | 'subject' | 'result'>;

async function stateOf({ db, source, owner, subjects }: Watched): Promise<State> {
  const { rows } = (await db.raw(
    `select coalesce((select position from event_cursors where source = :source), 0) as position,
      count(*) filter (where attempts > 0)::int as failed, count(*) filter (where attempts = 0)::int as waiting,
      coalesce(extract(epoch from clock_timestamp() - min(parked_at) filter (where attempts > 0)), 0)::float8 as seconds
    from parked_events where source = :source`,
    { source },
  )) as { rows: [{ position: number; failed: number; waiting: number; seconds: number }] };
  const { position, failed, waiting, seconds } = rows[0];
  const state = { source, failed, waiting, oldestSeconds: Math.max(0, seconds) };
  try {
    const { events, lastPosition } = await owner.readEvents(
      { after: position, subjects, limit: 1 },
      { timeoutMs: 1_500 },
    );
    const since = events[0]?.createdAt;
    const age = since ? Math.max(0, (Date.now() - since.getTime()) / 1000) : 0;
    return { ...state, lag: { positions: Math.max(0, lastPosition - position), seconds: age } };
  } catch {
    return state;
  }
}

/** Metrics shared by all consumers of a process. */
const metersOf = new WeakMap<Registry, { counter: HandledCounter; watched: Watched[] }>();

/** Creates metrics of the events that a service has not handled yet; every replica reports the same values. */
export function createEventMeters(registry: Registry, watched: Watched): HandledCounter {
  const known = metersOf.get(registry);
  if (known) {
    known.watched.push(watched);
    return known.counter;
  }
  const all = [watched];
  const sample = sampleOnScrape(() => Promise.all(all.map(stateOf)));
  const registers = [registry];
  const gauge = ({
    name,
    help,
    labels = [],
    setGauge,
  }: {
    name: string;
    help: string;
    labels?: string[];
    setGauge: (gauge: Gauge, state: State) => void;
  }) =>
    new Gauge({
      name,
      help,
      labelNames: ['source', ...labels],
      registers,
      async collect() {
        const states = await sample();
        this.reset();
        for (const state of states ?? []) setGauge(this, state);
      },
    });
  gauge({
    name: 'nolo_event_lag_positions',
    help: 'Positions in the event log of the source that have not been read yet.',
    setGauge: (one, { source, lag }) => lag && one.set({ source }, lag.positions),
  });
  gauge({
    name: 'nolo_event_lag_seconds',
    help: 'Age of the oldest unread event of the source, in seconds; 0 if none.',
    setGauge: (one, { source, lag }) => lag && one.set({ source }, lag.seconds),
  });
  gauge({
    name: 'nolo_events_parked',
    help: 'Quarantined events by state: failed (retried), or waiting behind a failed or slow one.',
    labels: ['state'],
    setGauge: (one, { source, failed, waiting }) => {
      one.set({ source, state: 'failed' }, failed);
      one.set({ source, state: 'waiting' }, waiting);
    },
  });
  gauge({
    name: 'nolo_events_parked_oldest_seconds',
    help: 'Time since the oldest failed event was quarantined, in seconds; 0 if none.',
    setGauge: (one, { source, oldestSeconds }) => one.set({ source }, oldestSeconds),
  });
  const counter: HandledCounter = new Counter({
    name: 'nolo_events_handled_total',
    help: 'Attempts to handle an event, by result: done, or failed (retried).',
    labelNames: ['source', 'subject', 'result'],
    registers,
  });
  metersOf.set(registry, { counter, watched: all });
  return counter;
}
