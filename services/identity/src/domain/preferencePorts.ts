import type { UserId } from '@nolo/kit/ids';

/** How somebody likes one thing on all of their devices (rules, preferences.ts). */
export interface Preference {
  name: string;
  /** The value as JSON. */
  json: string;
  /** When it was chosen, on the device where it was. */
  changedAt: Date;
}

export interface Preferences {
  list(userId: UserId): Promise<Preference[]>;
  /** Of two that were chosen for one thing the later stays; answers with those that took the place of another. */
  set(userId: UserId, chosen: readonly Preference[]): Promise<Preference[]>;
}
