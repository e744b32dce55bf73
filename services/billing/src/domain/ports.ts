import type { UserId } from '@nolo/kit/ids';
import type { GatewayId } from '@nolo/rules';
import type { PaymentGateway } from './gateway.ts';

/** Those of the operator's; one without a configuration is not offered. */
export type Gateways = Readonly<Partial<Record<GatewayId, PaymentGateway>>>;

export interface Person {
  readonly firstName: string;
  readonly lastName: string;
  /** Verified, or empty. */
  readonly email: string;
}

/** What identity knows of people. */
export interface People {
  /** Undefined for nobody. */
  find(userId: UserId): Promise<Person | undefined>;
}
