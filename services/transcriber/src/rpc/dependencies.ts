import type { Limiter } from '@nolo/kit/rateLimit';
import type { UserId } from '@nolo/kit/ids';
import type { Clock } from '@nolo/kit/clock';
import type {
  TranscriptionAllowance,
  AudioExaminer,
  TranscriptionConsents,
  TranscriptionEngine,
  SecondsMeter,
  UsageStore,
} from '../domain/ports.ts';
import type { TranscriberMetrics } from '../metrics.ts';

/** Dependencies of the handlers. */
export interface RpcDependencies {
  consents: TranscriptionConsents;
  limiter: Limiter<'transcriptionsPerUser'>;
  audio: AudioExaminer;
  engine: TranscriptionEngine;
  usage: UsageStore;
  meter: SecondsMeter;
  /** Returns a user's transcription allowance for this month (decision 28). */
  allowedOf: (userId: UserId) => Promise<TranscriptionAllowance>;
  clock: Clock;
  metrics: TranscriberMetrics;
  /** Time limit in milliseconds for one voice note. */
  workMs: number;
}
