import { StatusServiceDefinition } from '@nolo/proto/status';
import { fakeService } from './fakeService.ts';

/** Fakes status for the gateway's tests; nobody has posted anything. */
export const memoryStatus = () =>
  fakeService(StatusServiceDefinition, { getStatusAudience: async () => ({ mode: 'contacts', userIds: [] }) });
