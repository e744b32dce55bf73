import type { Clock } from '@nolo/kit/clock';
import type { UserId } from '@nolo/kit/ids';
import type { ProofGuard } from '@nolo/kit/proof';
import type {
  AccessStore,
  AuditStore,
  ExportStore,
  FactStore,
  MeterStore,
  NotificationStore,
  OrderStore,
  Payments,
  People,
  Refunds,
  SubscriptionStore,
  TeamStore,
} from '../domain/ports.ts';
import type { Metrics } from '../metrics.ts';

/** What handlers stand on; each takes the part that it needs. */
export interface Dependencies {
  readonly clock: Clock;
  readonly canMail: boolean;
  /** Whether there is a transcriber in this installation. */
  readonly transcribes: boolean;
  readonly publicUrl: string;
  readonly access: AccessStore;
  readonly meters: MeterStore;
  readonly orders: OrderStore;
  readonly payments: Payments;
  readonly refunds: Refunds;
  readonly recorder: FactStore;
  readonly notifications: NotificationStore;
  readonly subscriptions: SubscriptionStore;
  readonly teams: TeamStore;
  readonly audit: AuditStore;
  readonly exports: ExportStore;
  readonly people: People;
  /** Lets operators in who were proven a short while ago. */
  readonly admitOperator: ProofGuard;
  readonly metrics: Metrics;
  /** @throws AppError rate_limited */
  readonly limitMail: (userId: UserId) => Promise<void>;
  /** Has meters held against services, and says of which features. */
  readonly beginReconciliation: () => Promise<string[]>;
  readonly addMail: (payload: MailRequest) => Promise<void>;
}

export interface MailRequest {
  readonly userId: UserId;
  readonly about: 'receipt' | 'reminder' | 'invitation';
  readonly to: string;
  readonly orderId?: string;
  readonly origin: string;
}
