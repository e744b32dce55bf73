import type { Limiter } from '@nolo/kit/rateLimit';
import type { UserId } from '@nolo/kit/ids';
import type { Clock } from '@nolo/kit/clock';
import type { Allowed, AudioExaminer, Consents, Engine, SecondsMeter, UsageStore } from '../domain/ports.ts';
import type { TranscriberMetrics } from '../metrics.ts';

/** What the handlers work with. */
export interface RpcDependencies {
  consents: Consents;
  limiter: Limiter<'transcriptionsPerUser'>;
  audio: AudioExaminer;
  engine: Engine;
  usage: UsageStore;
  meter: SecondsMeter;
  /** What somebody may have transcribed this month (decision 28). */
  allowedOf: (userId: UserId) => Promise<Allowed>;
  clock: Clock;
  metrics: TranscriberMetrics;
  /** Milliseconds that the work on one voice note may take. */
  workMs: number;
}
