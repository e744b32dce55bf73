import type { Clock } from '@nolo/kit/clock';
import type { UserId } from '@nolo/kit/ids';
import type { ProofGuard } from '@nolo/kit/proof';
import type {
  PlanAccountStore,
  AuditStore,
  BillingExportSource,
  FactStore,
  MeterStore,
  GatewayNotificationStore,
  OrderStore,
  Payments,
  PeopleDirectory,
  Refunds,
  SubscriptionStore,
  TeamStore,
} from '../domain/ports.ts';
import type { BillingMetrics } from '../metrics.ts';

/** Dependencies of the handlers; each takes the subset that it needs. */
export interface Dependencies {
  readonly clock: Clock;
  readonly canMail: boolean;
  /** True if this installation has a transcriber. */
  readonly transcribes: boolean;
  readonly publicUrl: string;
  readonly access: PlanAccountStore;
  readonly meters: MeterStore;
  readonly orders: OrderStore;
  readonly payments: Payments;
  readonly refunds: Refunds;
  readonly recorder: FactStore;
  readonly notifications: GatewayNotificationStore;
  readonly subscriptions: SubscriptionStore;
  readonly teams: TeamStore;
  readonly audit: AuditStore;
  readonly exports: BillingExportSource;
  readonly people: PeopleDirectory;
  /** Admits recently proven operators. */
  readonly admitOperator: ProofGuard;
  readonly metrics: BillingMetrics;
  /** Limits emails per person. @throws AppError rate_limited */
  readonly limitMail: (userId: UserId) => Promise<void>;
  /** Starts comparing meters with services. Returns the features. */
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
