import type { UserId } from '@nolo/kit/ids';

/** Preference that applies to all of a user's devices (rules, preferences.ts). */
export interface Preference {
  name: string;
  /** Value as JSON. */
  json: string;
  /** Time of the choice by the clock of the device. */
  changedAt: Date;
}

export interface SyncedPreferenceStore {
  list(userId: UserId): Promise<Preference[]>;
  /** Stores preferences; the later choice wins. Returns those that replaced another. */
  set(userId: UserId, chosen: readonly Preference[]): Promise<Preference[]>;
}
