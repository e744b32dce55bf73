import { Counter, Gauge, type Registry } from '@nolo/kit/telemetry';

export interface Metrics {
  messages: Counter<'type'>;
}

/** What is particular to this service; RPCs, statements and the like are measured by kit. */
export function createMetrics(registry: Registry, ask: { waiting: () => number }): Metrics {
  const registers = [registry];
  new Gauge({
    name: 'nolo_send_queue_waiting',
    help: 'Messages that wait for the statement before theirs, in all conversations.',
    registers,
    collect() {
      this.set(ask.waiting());
    },
  });
  return {
    messages: new Counter({
      name: 'nolo_messages_total',
      help: 'Messages that were stored, by type.',
      labelNames: ['type'],
      registers,
    }),
  };
}
