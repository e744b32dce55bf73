import { StatusServiceService } from '@nolo/proto/status';
import { fakeService } from './fakeService.ts';

/** Fakes status for the gateway's tests; nobody has posted anything. */
export const memoryStatus = () =>
  fakeService(StatusServiceService, { getStatusAudience: async () => ({ mode: 'contacts', userIds: [] }) });
