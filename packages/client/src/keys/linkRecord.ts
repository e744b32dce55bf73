import type { DeviceLink } from '@nolo/api';
import { readPin, Refusal, type Bytes, type LinkCode, type LinkTranscript, type Pin } from '@nolo/e2ee';
import type { KeyContext } from './context.ts';
import type { LinkFailure, LinkState } from './types.ts';
import { fromText } from './wire.ts';

/** A link as the device keeps it, so that each step resumes after a kill (docs/encryption.md, section 3, Linking). */

interface LinkBase {
  readonly id: string;
  readonly expiresAt: string;
}

/** New device, with a camera on the old one. */
export interface NewCodeLink extends LinkBase {
  readonly is: 'newCode';
  readonly code: LinkCode;
  readonly content: string;
  /** List that contains this device, once the old device answered. */
  readonly pin: Pin | null;
}

/** New device, by digits. */
export interface NewDigitsLink extends LinkBase {
  readonly is: 'newDigits';
  readonly offer: Bytes;
  readonly newRandom: Bytes;
  /** Answer of the old device, after which the commitment is opened. */
  readonly answer: { readonly oldRandom: Bytes; readonly head: Bytes } | null;
  /** True once the old device's digits were typed here. */
  readonly isTyped: boolean;
}

interface OldBase extends LinkBase {
  readonly deviceName: string;
  readonly place: DeviceLink['place'];
}

/** Old device that scanned a code. */
export interface OldCodeLink extends OldBase {
  readonly is: 'oldCode';
  readonly code: LinkCode;
  readonly offer: Bytes;
  readonly isConfirmed: boolean;
  /** Sealed answer, once the list was accepted. */
  readonly answer: Bytes | null;
}

/** Old device, by digits. */
export interface OldDigitsLink extends OldBase {
  readonly is: 'oldDigits';
  readonly commitment: Bytes;
  readonly oldRandom: Bytes;
  readonly head: Bytes;
  /** The one opening that counts. */
  readonly opening: { readonly offer: Bytes; readonly newRandom: Bytes } | null;
  /** True once the new device's digits were typed here. */
  readonly isTyped: boolean;
  /** True once the new device said that this device's digits were typed there. */
  readonly isDone: boolean;
}

/** Link that ended. */
export interface EndedLink {
  readonly is: 'ended';
  readonly side: 'new' | 'old';
  readonly failure: LinkFailure | null;
}

export type OpenLink = NewCodeLink | NewDigitsLink | OldCodeLink | OldDigitsLink;
export type LinkRecord = OpenLink | EndedLink;

export const linkKey = 'link';

export const readLink = ({ store }: KeyContext): Promise<LinkRecord | undefined> => store.read<LinkRecord>(linkKey);

export async function storeLink<T extends LinkRecord>({ store }: KeyContext, link: T): Promise<T> {
  await store.write({ [linkKey]: link });
  return link;
}

export const sideOf = (link: LinkRecord): 'new' | 'old' =>
  link.is === 'ended' ? link.side : link.is === 'newCode' || link.is === 'newDigits' ? 'new' : 'old';

export const ended = (link: OpenLink, failure: LinkFailure | null): EndedLink => ({
  is: 'ended',
  side: sideOf(link),
  failure,
});

/** Transcript of a link by digits; null while a part of it is missing. */
export function transcriptOf(link: NewDigitsLink | OldDigitsLink): LinkTranscript | null {
  if (link.is === 'newDigits') {
    const { offer, newRandom, answer } = link;
    return answer && { offer, newRandom, oldRandom: answer.oldRandom, list: readPin(answer.head) };
  }
  const { opening, oldRandom, head } = link;
  return opening && { ...opening, oldRandom, list: readPin(head) };
}

/** Form of a link on the screen. Digits are computed by the caller. */
export function toLinkState(link: LinkRecord | undefined, digits: string | null, isListed: boolean): LinkState | null {
  if (!link) return null;
  const part = isListed ? 'vault' : 'list';
  switch (link.is) {
    case 'ended':
      return link.failure === null
        ? { side: link.side, step: 'done' }
        : { side: link.side, step: 'failed', reason: link.failure };
    case 'newCode':
      if (link.pin) return { side: 'new', step: 'finishing', part };
      return { side: 'new', step: 'code', code: link.content, expiresAt: link.expiresAt };
    case 'newDigits':
      if (link.isTyped) return { side: 'new', step: 'finishing', part };
      if (digits !== null) return { side: 'new', step: 'digits', digits, expiresAt: link.expiresAt };
      return { side: 'new', step: 'waiting', expiresAt: link.expiresAt };
    case 'oldCode': {
      const { id: linkId, deviceName, place } = link;
      if (link.isConfirmed) return { side: 'old', step: 'finishing', part: 'list' };
      return { side: 'old', step: 'confirm', linkId, deviceName, place };
    }
    case 'oldDigits': {
      const { id: linkId, deviceName } = link;
      if (link.isDone) return { side: 'old', step: 'finishing', part: 'list' };
      if (link.isTyped && digits !== null) return { side: 'old', step: 'digits', digits, linkId };
      return { side: 'old', step: 'type', linkId, deviceName };
    }
  }
}

/** Reads base64url of the server, or of a scanned code. Returns null for anything else. */
export function tryText(text: string): Bytes | null {
  try {
    return fromText(text);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
