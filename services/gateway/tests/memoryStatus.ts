import { StatusServiceService } from '@nolo/proto/status';
import { fakeService } from './fakeService.ts';

/** status as far as the gateway's own tests go, in which nobody has posted anything. */
export const memoryStatus = () =>
  fakeService(StatusServiceService, { getStatusAudience: async () => ({ mode: 'contacts', userIds: [] }) });
