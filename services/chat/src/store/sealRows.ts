import { noRowHash, type SealedContent, type StoredSeal, type StoredSealedAnnotation } from '../domain/seals.ts';

/** Columns of a message that its seal is made of. */
export interface SealRow {
  change_seq: number;
  sealed: Buffer | null;
  epoch: number | null;
  device_id: string | null;
  version: number | null;
  version_place: string | null;
  own: Buffer[] | null;
  target_row: Buffer | null;
  row_hash: Buffer | null;
  origin: Buffer | null;
  deletion: Buffer | null;
  draft_id: string | null;
  draft_origin: Buffer | null;
  has_link: boolean;
  annotations: AnnotationJson[] | null;
}

type AnnotationJson = Omit<StoredSealedAnnotation, 'sealed'> & { readonly sealed: string };

const plainColumns = [
  'sealed',
  'epoch',
  'device_id',
  'version',
  'version_place',
  'own',
  'target_row',
  'row_hash',
  'deletion',
  'draft_id',
  'has_link',
];

/**
 * Returns the columns of the seal of a message. Only messages that have annotations are looked up for them, and only
 * erased ones for the draft that they approved.
 */
export const sealColumns = (alias: string): string[] => [
  ...plainColumns.map((name) => `${alias}.${name}`),
  `case when ${alias}.version > 0 or ${alias}.deleted_at is not null then ${alias}.origin end as origin`,
  `case when ${alias}.deleted_at is not null and ${alias}.draft_id is not null then (
    select h.origin from held_messages h where h.id = ${alias}.draft_id
  ) end as draft_origin`,
  `case when ${alias}.annotated then (
    select jsonb_agg(jsonb_build_object('kind', n.kind, 'userId', n.user_id, 'deviceId', n.device_id,
      'clientMessageId', n.client_message_id, 'epoch', n.epoch, 'sealed', encode(n.sealed, 'base64'), 'place', n.place)
      order by n.place)
    from sealed_annotations n where n.conversation_id = ${alias}.conversation_id and n.seq = ${alias}.seq
  ) end as annotations`,
];

const nobody = '00000000-0000-0000-0000-000000000000';

/**
 * Returns the place of the newest version. Release 0.4.0 stored none for edits: then it is the row's change number,
 * which a reaction may have moved further.
 */
function placeOf({ version, version_place, change_seq }: SealRow): number {
  if (version_place !== null) return Number(version_place);
  return version !== null && version > 0 ? change_seq : 0;
}

export function toStoredSeal(row: SealRow): StoredSeal | null {
  if (row.version === null && row.annotations === null) return null;
  return {
    sealed: row.sealed,
    epoch: row.epoch ?? 0,
    deviceId: row.device_id ?? nobody,
    version: row.version ?? 0,
    place: placeOf(row),
    own: row.own ?? [],
    targetRow: row.target_row,
    rowHash: row.row_hash ?? noRowHash,
    origin: row.origin,
    hasLink: row.has_link,
    deletion: row.deletion,
    annotations: (row.annotations ?? []).map((one) => ({ ...one, sealed: Buffer.from(one.sealed, 'base64') })),
    held: false,
    draftId: row.draft_id,
    draftOrigin: row.draft_origin,
  };
}

/** Bytes as PostgreSQL reads them from JSON. */
const toByteaText = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;

/** Returns the columns of a seal as JSON; those of a message without one are absent. */
export const toSealInput = (seal: SealedContent | undefined) =>
  seal && {
    sealed: toByteaText(seal.sealed),
    epoch: seal.epoch,
    device_id: seal.deviceId,
    version: seal.version,
    own: seal.own.map(toByteaText),
    target_row: seal.targetRow && toByteaText(seal.targetRow),
    row_hash: toByteaText(seal.rowHash),
    origin: toByteaText(seal.origin),
    held: seal.held,
    draft_id: seal.draftId,
  };

/** Seal of a draft that waits for approval, as JSON. */
export type SealJson = Omit<SealedContent, 'sealed' | 'own' | 'targetRow' | 'rowHash' | 'origin'> & {
  readonly sealed: string;
  readonly own: readonly string[];
  readonly targetRow: string | null;
  readonly rowHash: string;
  readonly origin: string;
};

const toText = (bytes: Buffer) => bytes.toString('base64url');
const toBuffer = (text: string) => Buffer.from(text, 'base64url');

export const toSealJson = (seal: SealedContent): SealJson => ({
  ...seal,
  sealed: toText(seal.sealed),
  own: seal.own.map(toText),
  targetRow: seal.targetRow && toText(seal.targetRow),
  rowHash: toText(seal.rowHash),
  origin: toText(seal.origin),
});

export const fromSealJson = (json: SealJson): SealedContent => ({
  ...json,
  sealed: toBuffer(json.sealed),
  own: json.own.map(toBuffer),
  targetRow: json.targetRow === null ? null : toBuffer(json.targetRow),
  rowHash: toBuffer(json.rowHash),
  origin: toBuffer(json.origin),
});
