import type { SealedAnnotation } from '@nolo/api';
import { fromUuid, openMessage, type Bytes } from '@nolo/e2ee';
import { fromText } from '../wire.ts';
import { boundOfAnnotation, type SealedRow } from './boundRows.ts';
import { endingsOf } from './conversation.ts';
import {
  assertPlace,
  ClosedRow,
  EarlierRow,
  epochAt,
  keyOf,
  newestBefore,
  signKeyOf,
  toReason,
  type Opening,
} from './opening.ts';
import type { OpenedReaction } from './rowTypes.ts';

/** Opening reactions and pins (docs/encryption.md, section 5). */

/** Opens a reaction or pin. Returns null for one that does not count, and what is missing for one that may later. */
async function openAnnotation(
  opening: Opening,
  { id }: SealedRow,
  hash: Bytes,
  annotation: SealedAnnotation,
): Promise<string | ClosedRow | null> {
  try {
    const epoch = epochAt(opening, annotation.epoch);
    const bound = boundOfAnnotation(opening.conversation.id, fromUuid(id), hash, annotation, epoch);
    assertPlace(opening, epoch, annotation.place, 'changeSeq');
    const after = newestBefore(opening, annotation.place, 'changeSeq');
    if (endingsOf(opening.conversation).some((n) => epoch.n < n && n <= after)) return null;
    const signKey = signKeyOf(epoch, bound.account, bound.device);
    return (await openMessage(fromText(annotation.sealed), keyOf(epoch), bound, signKey)).content;
  } catch (error) {
    if (error instanceof ClosedRow) return error;
    if (error instanceof EarlierRow) return null;
    toReason(error);
    return null;
  }
}

export interface OpenedAnnotations {
  readonly reactions: readonly OpenedReaction[];
  /** Member whose device sealed the pin; null without one. */
  readonly pinnedBy: string | null;
  /** Numbers of epochs that are unknown, or whose secret this device lacks. */
  readonly closed: readonly number[];
}

/** Opens reactions and the pin. The newest of each person counts, also if it takes a reaction away. */
export async function openAnnotations(opening: Opening, row: SealedRow, hash: Bytes): Promise<OpenedAnnotations> {
  const closed: number[] = [];
  const emojis = new Map<string, string>();
  let pinnedBy: string | null = null;
  for (const annotation of row.seal.annotations.toSorted((a, b) => a.place - b.place)) {
    const content = await openAnnotation(opening, row, hash, annotation);
    if (content instanceof ClosedRow) closed.push(content.epoch);
    if (typeof content !== 'string') continue;
    if (annotation.kind === 'reaction') emojis.set(annotation.userId, content);
    else if (content === '1') pinnedBy = annotation.userId;
  }
  const reactions = [...emojis].flatMap(([userId, emoji]): OpenedReaction[] =>
    emoji === '' ? [] : [{ userId, emoji }],
  );
  return { reactions, pinnedBy, closed };
}
