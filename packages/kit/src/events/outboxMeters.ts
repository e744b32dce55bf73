import type { Knex } from 'knex';
import { Counter, Gauge, type Registry } from 'prom-client';
import { sampleOnScrape } from '../telemetry/scrape.ts';

/** Cap of counts: a longer backlog needs no exact number. */
const maxCountedRows = 100_000;

interface State {
  count: number;
  seconds: number | null;
  parked: number;
}

/**
 * Registers metrics of waiting rows. They query the tables at each scrape, so every replica of a service reports the
 * same. Rows that a relay is sending still count, with their age; rows scheduled for later do not.
 */
export function watchOutbox(db: Knex, registry: Registry): Counter<'result'> {
  const sample = sampleOnScrape(async () => {
    const { rows } = (await db.raw(`select
      (select count(*)::int from (select from outbox limit ${maxCountedRows}) as counted) as count,
      (select extract(epoch from clock_timestamp() - created_at)::float8 from outbox
        where not_before is null order by id limit 1) as seconds,
      (select count(*)::int from (select from outbox_parked limit ${maxCountedRows}) as counted) as parked`)) as {
      rows: [State];
    };
    return rows[0];
  });
  const registers = [registry];
  const gauge = ({ name, help, figure }: { name: string; help: string; figure: (state: State) => number }) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const state = await sample();
        if (state) this.set(figure(state));
        else this.remove();
      },
    });
  gauge({
    name: 'nolo_outbox_rows',
    help: `Rows waiting in the outbox of the service, counted up to ${maxCountedRows}.`,
    figure: ({ count }) => count,
  });
  gauge({
    name: 'nolo_outbox_oldest_seconds',
    help: 'Age of the oldest row in the outbox, in seconds; 0 if empty.',
    figure: ({ seconds }) => Math.max(0, seconds ?? 0),
  });
  gauge({
    name: 'nolo_outbox_parked',
    help: 'Outbox rows that failed individually and wait for an operator.',
    figure: ({ parked }) => parked,
  });
  return new Counter({
    name: 'nolo_outbox_dispatched_total',
    help: 'Outbox rows by result: sent, failed (put back because nothing could be sent), put_off (this row alone), or parked.',
    labelNames: ['result'],
    registers,
  });
}
