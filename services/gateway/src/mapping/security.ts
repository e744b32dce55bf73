import { securityNoticeKind, type SignInIdentity, type SecurityNotice } from '@nolo/api';
import type { Identity as IdentityRow, Notice as NoticeRow } from '@nolo/proto/security';
import { toIsoTime, emptyToNull, toPlace } from './people.ts';

function typeOf({ phoneNumber, name, issuer }: IdentityRow): SignInIdentity['type'] {
  if (phoneNumber !== undefined) return 'phone';
  if (name !== undefined) return 'passkey';
  return issuer === undefined ? 'email' : 'provider';
}

export function toIdentity(row: IdentityRow): SignInIdentity {
  return {
    id: row.id,
    type: typeOf(row),
    phoneNumber: emptyToNull(row.phoneNumber),
    issuer: emptyToNull(row.issuer),
    email: emptyToNull(row.email),
    addedAt: toIsoTime(row.addedAt),
    addedBy: emptyToNull(row.addedBy),
    name: emptyToNull(row.name),
    lastUsedAt: row.lastUsedAt ? toIsoTime(row.lastUsedAt) : null,
    synced: row.synced ?? null,
    credentialId: row.credentialId === undefined ? null : Buffer.from(row.credentialId).toString('base64url'),
  };
}

export function toSecurityNotice(row: NoticeRow): SecurityNotice {
  return {
    id: row.id,
    kind: securityNoticeKind.parse(row.kind),
    createdAt: toIsoTime(row.createdAt),
    userAgent: row.userAgent,
    place: toPlace(row),
    byThisSession: row.byThisSession,
    seen: row.seen,
    undoable: row.undoable,
    phoneNumber: emptyToNull(row.phoneNumber),
    previousPhoneNumber: emptyToNull(row.previousPhoneNumber),
    issuer: emptyToNull(row.issuer),
    email: emptyToNull(row.email),
    previousEmail: emptyToNull(row.previousEmail),
    tokenName: row.tokenName ?? null,
    passkeyName: row.passkeyName ?? null,
    opensAt: row.opensAt ? toIsoTime(row.opensAt) : null,
    undoneAt: row.undoneAt ? toIsoTime(row.undoneAt) : null,
  };
}
