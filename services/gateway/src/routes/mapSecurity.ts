import { securityNoticeKind, type Identity, type SecurityNotice } from '@nolo/api';
import type { Identity as IdentityRow, Notice as NoticeRow } from '@nolo/proto/security';
import { isoTime, orNull, toPlace } from './mapPeople.ts';

function typeOf({ phoneNumber, name, issuer }: IdentityRow): Identity['type'] {
  if (phoneNumber !== undefined) return 'phone';
  if (name !== undefined) return 'passkey';
  return issuer === undefined ? 'email' : 'provider';
}

export function toIdentity(row: IdentityRow): Identity {
  return {
    id: row.id,
    type: typeOf(row),
    phoneNumber: orNull(row.phoneNumber),
    issuer: orNull(row.issuer),
    email: orNull(row.email),
    addedAt: isoTime(row.addedAt),
    addedBy: orNull(row.addedBy),
    name: orNull(row.name),
    lastUsedAt: row.lastUsedAt ? isoTime(row.lastUsedAt) : null,
    synced: row.synced ?? null,
  };
}

export function toSecurityNotice(row: NoticeRow): SecurityNotice {
  return {
    id: row.id,
    kind: securityNoticeKind.parse(row.kind),
    createdAt: isoTime(row.createdAt),
    userAgent: row.userAgent,
    place: toPlace(row),
    byThisSession: row.byThisSession,
    seen: row.seen,
    undoable: row.undoable,
    phoneNumber: orNull(row.phoneNumber),
    previousPhoneNumber: orNull(row.previousPhoneNumber),
    issuer: orNull(row.issuer),
    email: orNull(row.email),
    previousEmail: orNull(row.previousEmail),
    tokenName: row.tokenName ?? null,
    passkeyName: row.passkeyName ?? null,
    opensAt: row.opensAt ? isoTime(row.opensAt) : null,
    undoneAt: row.undoneAt ? isoTime(row.undoneAt) : null,
  };
}
