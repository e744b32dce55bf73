import { sampleOnScrape, Counter, Gauge, Histogram, type Registry } from '@nolo/kit/telemetry';

export interface ChatMetrics {
  messages: Counter<'type'>;
  refusedStrangers: Counter<'reason'>;
  /** Seconds from the expiry of a message to its erasure. */
  expiryLateness: Histogram;
  /** Messages erased because of the installation's retention. */
  aged: Counter;
  epochCommits: Counter<'outcome' | 'kind'>;
  nacks: Counter<'event'>;
  /** Messages and edits refused as they were sealed, or because they were not. */
  sealsRefused: Counter<'code' | 'reason'>;
  vaultRows: Counter;
}

/** Creates the metrics specific to this service; kit measures RPCs, statements and the like. */
export function createChatMetrics(
  registry: Registry,
  query: {
    waiting: () => number;
    overdueSeconds: () => Promise<number>;
    waitingForKeys: () => Promise<{ nacks: number; removals: number }>;
  },
): ChatMetrics {
  const registers = [registry];
  const overdue = sampleOnScrape(query.overdueSeconds);
  new Gauge({
    name: 'nolo_expiry_overdue_seconds',
    help: 'Time by which the oldest disappearing message is overdue, in seconds; 0 if none.',
    registers,
    async collect() {
      const seconds = await overdue();
      if (seconds === undefined) this.remove();
      else this.set(seconds);
    },
  });
  const keys = sampleOnScrape(query.waitingForKeys);
  new Gauge({
    name: 'nolo_nacks_waiting',
    help: 'Requests of devices for secrets that no device answered yet; rows wait for them on those devices.',
    registers,
    async collect() {
      const counted = await keys();
      if (counted === undefined) this.remove();
      else this.set(counted.nacks);
    },
  });
  new Gauge({
    name: 'nolo_epoch_removals_waiting',
    help: 'Sealed conversations that accept no message until an epoch says who lost access.',
    registers,
    async collect() {
      const counted = await keys();
      if (counted === undefined) this.remove();
      else this.set(counted.removals);
    },
  });
  new Gauge({
    name: 'nolo_send_queue_waiting',
    help: 'Messages waiting for the statement ahead of theirs, in all conversations.',
    registers,
    collect() {
      this.set(query.waiting());
    },
  });
  return {
    messages: new Counter({
      name: 'nolo_messages_total',
      help: 'Stored messages by type.',
      labelNames: ['type'],
      registers,
    }),
    aged: new Counter({
      name: 'nolo_messages_aged_total',
      help: 'Messages erased because they were older than MESSAGES_KEPT_DAYS.',
      registers,
    }),
    epochCommits: new Counter({
      name: 'nolo_epoch_commits_total',
      help: 'Epochs that devices wanted to begin, by outcome and kind; `change` goes with a change of members or settings.',
      labelNames: ['outcome', 'kind'],
      registers,
    }),
    nacks: new Counter({
      name: 'nolo_nacks_total',
      help: 'Requests of devices for secrets that they could not open (sent), and answers (answered).',
      labelNames: ['event'],
      registers,
    }),
    sealsRefused: new Counter({
      name: 'nolo_seals_refused_total',
      help: 'Messages and edits refused because of how they were sealed, or because they were not, by code and reason.',
      labelNames: ['code', 'reason'],
      registers,
    }),
    vaultRows: new Counter({
      name: 'nolo_vault_rows_total',
      help: 'Sealed records added to vaults.',
      registers,
    }),
    refusedStrangers: new Counter({
      name: 'nolo_strangers_refused_total',
      help: 'Messages refused because the recipient does not know the sender, by reason.',
      labelNames: ['reason'],
      registers,
    }),
    expiryLateness: new Histogram({
      name: 'nolo_expiry_lateness_seconds',
      help: 'Delay with which disappearing messages were erased, in seconds.',
      buckets: [0.5, 1, 2, 5, 10, 30, 60, 300],
      registers,
    }),
  };
}
