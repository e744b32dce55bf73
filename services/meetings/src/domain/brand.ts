import { isId, type UserId } from '@nolo/kit/ids';
import { brandColor, brandNameLength, cleanName, isBrandName } from '@nolo/rules';
import { brandInvalid } from '../errors.ts';

/** What rooms carry by the plan of their host. */
export interface Brand {
  readonly name: string;
  /** As #rrggbb, in lower case. */
  readonly color: string;
  readonly logoPath: string | null;
}

/** What a plan says of somebody's brand. */
export interface BrandStanding {
  /** Whose brand their meetings carry: of a team that of whoever bought its seats. */
  readonly ownerId: UserId;
  /** Whether the plan has branded rooms now. */
  readonly allowed: boolean;
}

export const brandChanged = 'event.meetings.brand_changed';

/** What billing writes down for the team, in the transaction that changes it. */
export function brandEvent(ownerId: UserId, change: 'set' | 'removed', now: Date) {
  return { subject: brandChanged, key: ownerId, payload: { ownerId, change, changedAt: now.toISOString() } };
}

export function brandNameFrom(name: string): string {
  if (!isBrandName(name)) throw brandInvalid('name', `A brand's name has 1 to ${brandNameLength} characters.`);
  return cleanName(name);
}

export function brandColorFrom(color: string): string {
  if (!brandColor.test(color)) throw brandInvalid('color', 'A colour is written as #rrggbb.');
  return color.toLowerCase();
}

/** Undefined stays what it is, null is none. Paths come from the gateway, which has them from files. */
export function logoFrom(path: string | undefined): string | null | undefined {
  if (path === undefined) return undefined;
  if (path === '') return null;
  const id = /^\/objects\/([^/]+)$/.exec(path)?.[1];
  if (!isId(id)) throw brandInvalid('logo', 'This is not the path of a picture.');
  return path;
}
