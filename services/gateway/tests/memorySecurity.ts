import { randomUUID } from 'node:crypto';
import { fail } from '@nolo/kit/errors';
import { rpcService } from '@nolo/kit/rpc';
import { SecurityServiceService, type Notice } from '@nolo/proto/security';

/** The part of identity that protects accounts, as far as the gateway can tell. */
export function memorySecurity() {
  /** While set, no session counts as proven. */
  const proof = { fresh: true };
  const identityId = randomUUID();
  const notice: Notice = {
    id: randomUUID(),
    kind: 'phone_replaced',
    createdAt: new Date(),
    userAgent: 'test',
    byThisSession: false,
    seen: false,
    undoable: true,
    phoneNumber: '+27820000001',
    previousPhoneNumber: '+27820000002',
    undoneAt: undefined,
  };
  const mustBeProven = () => {
    if (!proof.fresh) throw fail('forbidden', 'proof_required', 'Please confirm that it is you.');
  };
  const find = (wanted: string, code: string, id: string) => {
    if (wanted !== id) throw fail('not_found', code, 'This was not found.');
  };

  const service = rpcService(SecurityServiceService, {
    getProof: async () => ({
      validUntil: proof.fresh ? new Date(Date.now() + 300_000) : undefined,
      phoneNumbers: ['+27820000001'],
      providerIssuers: [],
    }),
    listIdentities: async () => ({
      identities: [{ id: identityId, phoneNumber: '+27820000001', addedAt: new Date() }],
    }),
    async unlinkIdentity(request) {
      mustBeProven();
      find(request.identityId, 'identity_not_found', identityId);
      throw fail('conflict', 'last_way_in', 'This is the only way to sign in to your account.');
    },
    listNotices: async ({ limit }) => ({ notices: [notice], nextCursor: limit === 1 ? 'more' : undefined }),
    async markNoticesSeen({ noticeId }) {
      find(noticeId, 'notice_not_found', notice.id);
      return {};
    },
    async undoNotice({ noticeId }) {
      mustBeProven();
      find(noticeId, 'notice_not_found', notice.id);
      return { endedSessions: 1, undoneChanges: 1 };
    },
  });
  return { service, proof, notice, identityId };
}
