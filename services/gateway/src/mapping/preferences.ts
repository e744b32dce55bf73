import type { Preferences } from '@nolo/api';
import type { Preference } from '@nolo/proto/profile';
import { currentPreference, isValidPreference } from '@nolo/rules';

export function toPreferenceRows(preferences: Preferences): Preference[] {
  return Object.entries(preferences).flatMap(([name, one]) =>
    one ? { name, json: JSON.stringify(currentPreference(name, one.value)), changedAt: new Date(one.changedAt) } : [],
  );
}

/** Maps preferences and skips those that only another version of identity knows. */
export function toPreferences(rows: readonly Preference[]): Preferences {
  const known = rows.flatMap(({ name = '', json = 'null', changedAt }) => {
    const value = currentPreference(name, JSON.parse(json));
    return changedAt && isValidPreference(name, value) ? [[name, { value, changedAt: changedAt.toISOString() }]] : [];
  });
  return Object.fromEntries(known) as Preferences;
}
