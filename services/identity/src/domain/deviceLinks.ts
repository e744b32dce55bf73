import { assertOpens, checkOffer, type Bytes } from '@nolo/e2ee';
import type { UserId } from '@nolo/kit/ids';
import { accountBytesOf, deviceIdOf } from './deviceLists.ts';
import type { DeviceId } from './keyPorts.ts';
import type { RequestingSession } from './securityPorts.ts';

/**
 * Linking of a new device (docs/encryption.md, section 3). With a camera: offered, answered. Without: committed,
 * challenged, opened, confirmed. The devices check each other; this service keeps the order and who takes which step.
 */
export type DeviceLinkState = 'offered' | 'answered' | 'committed' | 'challenged' | 'opened' | 'confirmed';

export interface DeviceLink {
  id: string;
  state: DeviceLinkState;
  /** True if the requesting session began it. */
  own: boolean;
  expiresAt: Date;
  commitment: Buffer | null;
  offer: Buffer | null;
  newRandom: Buffer | null;
  oldRandom: Buffer | null;
  head: Buffer | null;
  answer: Buffer | null;
  done: Buffer | null;
  /** User agent of the session that began it, and where that was last opened. */
  name: string;
  country: string | null;
  city: string | null;
}

export type FirstLinkStep = { is: 'offer'; offer: Bytes } | { is: 'commitment'; commitment: Bytes };

export type LinkStep =
  | { is: 'challenge'; random: Bytes; head: Bytes }
  | { is: 'opening'; offer: Bytes; random: Bytes }
  | { is: 'answer'; answer: Bytes }
  | { is: 'done'; done: Bytes };

/** State before and after each step, and whether the new device takes it. */
export const linkSteps: Readonly<
  Record<LinkStep['is'], { before: DeviceLinkState; after: DeviceLinkState; byNewDevice: boolean }>
> = {
  challenge: { before: 'committed', after: 'challenged', byNewDevice: false },
  opening: { before: 'challenged', after: 'opened', byNewDevice: true },
  answer: { before: 'offered', after: 'answered', byNewDevice: false },
  done: { before: 'opened', after: 'confirmed', byNewDevice: true },
};

/**
 * Reads the device of an offer.
 *
 * @throws Refusal for an offer that is not of this account or not signed by its device
 */
export async function readOfferedDevice(userId: UserId, offer: Bytes): Promise<DeviceId> {
  return deviceIdOf((await checkOffer(offer, accountBytesOf(userId))).device);
}

/**
 * Reads the device of an opening.
 *
 * @throws Refusal also if it does not open the commitment
 */
export async function readOpenedDevice(
  userId: UserId,
  commitment: Uint8Array,
  { offer, random }: { offer: Bytes; random: Bytes },
): Promise<DeviceId> {
  await assertOpens(commitment, offer, random);
  return readOfferedDevice(userId, offer);
}

export interface DeviceLinkStore {
  /** @throws Refusal for an invalid offer */
  begin(
    requester: RequestingSession,
    first: FirstLinkStep,
    times: { now: Date; expiresAt: Date },
  ): Promise<DeviceLink | 'session_missing' | 'conflict'>;
  /** Returns undefined if the session takes no part in it. */
  find(requester: RequestingSession, linkId: string, now: Date): Promise<DeviceLink | undefined>;
  /** Returns the open links that the session may take part in. */
  list(requester: RequestingSession, now: Date): Promise<string[]>;
  /**
   * Takes a step. A repeated step with the same content is `repeated`.
   *
   * @throws Refusal for an invalid opening
   */
  advance(
    requester: RequestingSession,
    linkId: string,
    step: LinkStep,
    now: Date,
  ): Promise<{ outcome: 'taken' | 'repeated'; link: DeviceLink } | { outcome: 'missing' | 'conflict' }>;
  end(requester: RequestingSession, linkId: string, now: Date): Promise<boolean>;
  /** Deletes expired links. Returns how many of them linked no device. */
  sweep(now: Date): Promise<number>;
}
