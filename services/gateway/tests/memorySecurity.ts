import { SecurityServiceService } from '@nolo/proto/security';
import { fakeService } from './fakeService.ts';

/** The part of identity that protects accounts, as far as the gateway can tell. */
export function memorySecurity() {
  /** While set, no session counts as proven. */
  const proof = { fresh: true };
  const service = fakeService(SecurityServiceService, {
    getProof: async () => ({
      validUntil: proof.fresh ? new Date(Date.now() + 300_000) : undefined,
      phoneNumbers: ['+27820000001'],
      providerIssuers: [],
    }),
  });
  return { service, proof };
}
