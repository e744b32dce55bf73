import type { Limiter } from '@nolo/kit/rateLimit';
import type { UserId } from '@nolo/kit/ids';
import type { PlanId } from '@nolo/rules';
import type { Clock } from '@nolo/kit/clock';
import type { AudioExaminer, Consents, Engine, UsageStore } from '../domain/ports.ts';
import type { TranscriberMetrics } from '../metrics.ts';

/** What the handlers work with. */
export interface RpcDependencies {
  consents: Consents;
  limiter: Limiter<'transcriptionsPerUser'>;
  audio: AudioExaminer;
  engine: Engine;
  usage: UsageStore;
  /** Whose minutes hold for somebody (decision 28). */
  planOf: (userId: UserId) => Promise<PlanId>;
  clock: Clock;
  metrics: TranscriberMetrics;
  /** Milliseconds that the work on one voice note may take. */
  workMs: number;
}
