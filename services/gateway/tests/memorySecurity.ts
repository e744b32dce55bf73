import { SecurityServiceDefinition } from '@nolo/proto/security';
import { fakeService } from './fakeService.ts';

/** Fakes identity's account security for the gateway. */
export function memorySecurity() {
  /** Controls fresh proof: if false, no session counts as proven. */
  const proof = { fresh: true };
  const service = fakeService(SecurityServiceDefinition, {
    getProof: async () => ({
      validUntil: proof.fresh ? new Date(Date.now() + 300_000) : undefined,
      phoneNumbers: ['+27820000001'],
      providerIssuers: [],
    }),
  });
  return { service, proof };
}
