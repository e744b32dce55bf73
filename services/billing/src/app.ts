import { createService, type App, type ServiceOptions } from '@nolo/kit/service';
import type { BillingConfig } from './config.ts';

export function createApp(options: ServiceOptions<BillingConfig>): App {
  return createService('billing', options, () => ({ services: [] }));
}
