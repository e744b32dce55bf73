import { isId, type UserId } from '@nolo/kit/ids';
import { brandColorPattern, brandNameLength, cleanName, isBrandName } from '@nolo/rules';
import { brandInvalid } from '../errors.ts';

/** Branding that a host's plan gives to rooms. */
export interface Brand {
  readonly name: string;
  /** Color as #rrggbb in lower case. */
  readonly color: string;
  readonly logoPath: string | null;
}

/** Branding rights under a user's plan. */
export interface BrandEntitlement {
  /** Owner of the brand that the user's meetings show. In a team: the person who bought the seats. */
  readonly ownerId: UserId;
  /** True if the plan currently includes branded rooms. */
  readonly allowed: boolean;
}

const brandChangedSubject = 'event.meetings.brand_changed';

/** Builds the event that billing records for the team. Written in the transaction of the change. */
export function createBrandChangedEvent(ownerId: UserId, change: 'set' | 'removed', now: Date) {
  return { subject: brandChangedSubject, key: ownerId, payload: { ownerId, change, changedAt: now.toISOString() } };
}

export function parseBrandName(name: string): string {
  if (!isBrandName(name)) throw brandInvalid('name', `A brand name must have 1 to ${brandNameLength} characters.`);
  return cleanName(name);
}

export function parseBrandColor(color: string): string {
  if (!brandColorPattern.test(color)) throw brandInvalid('color', 'A colour must be written as #rrggbb.');
  return color.toLowerCase();
}

/**
 * Parses a logo path. Undefined keeps the logo, null removes it. Paths come from the gateway, which gets them from
 * files.
 */
export function parseLogoPath(path: string | undefined): string | null | undefined {
  if (path === undefined) return undefined;
  if (path === '') return null;
  const id = /^\/objects\/([^/]+)$/.exec(path)?.[1];
  if (!isId(id)) throw brandInvalid('logo', 'This is not a picture path.');
  return path;
}
