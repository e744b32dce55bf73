export { maxOwnRows, type BoundMessage, type MessageTarget, type TargetKind } from './boundMessages.ts';
export * from './boxKeys.ts';
export * from './bytes.ts';
export * from './claims.ts';
export * from './deletions.ts';
export { decodeCanonical, encodeCanonical, type Encodable } from './encoding.ts';
export * from './epochs.ts';
export * from './evidence.ts';
export * from './forks.ts';
export * from './headers.ts';
export * from './inviteLinks.ts';
export * from './lateRows.ts';
export * from './linking.ts';
export * from './lists.ts';
export * from './messages.ts';
export * from './nacks.ts';
export * from './number.ts';
export {
  boxKeyFromSeed,
  createSigningKey,
  randomBytes,
  type BoxKey,
  type PrivateKey,
  type SigningKey,
} from './primitives.ts';
export * from './recovery.ts';
export { Refusal, type RefusalCode } from './refusal.ts';
export * from './rosters.ts';
export { assertSealable } from './sealable.ts';
export { createStoreKey, openFromStore, sealForStore, type StoreKey } from './storeKey.ts';
export { assertSignedBy, decodeStatement, encodeStatement, type Statement } from './statements.ts';
export {
  createSnapshot,
  decodeRecord,
  emptyVault,
  encodeRecord,
  hashOfRows,
  nextCounter,
  openPreviousSecret,
  placedIn,
  sealPreviousSecret,
  subjectOf,
  withRecords,
  type EntryRecord,
  type HeaderRecord,
  type PinRecord,
  type PlacedRecord,
  type SnapshotRecord,
  type VaultRecord,
  type VerifiedRecord,
  type VaultState,
} from './vault.ts';
