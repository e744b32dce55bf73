import type { Limiter } from '@nolo/kit/rateLimit';
import type { UserId } from '@nolo/kit/ids';
import type { Clock } from '@nolo/kit/clock';
import type { Allowed, AudioExaminer, Consents, Engine, SecondsMeter, UsageStore } from '../domain/ports.ts';
import type { TranscriberMetrics } from '../metrics.ts';

/** Dependencies of the handlers. */
export interface RpcDependencies {
  consents: Consents;
  limiter: Limiter<'transcriptionsPerUser'>;
  audio: AudioExaminer;
  engine: Engine;
  usage: UsageStore;
  meter: SecondsMeter;
  /** Returns a user's transcription allowance for this month (decision 28). */
  allowedOf: (userId: UserId) => Promise<Allowed>;
  clock: Clock;
  metrics: TranscriberMetrics;
  /** Time limit in milliseconds for one voice note. */
  workMs: number;
}
