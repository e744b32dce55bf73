import { findCategories, listSettingsCategories, settingsPageOf } from './settingsCategories.ts';

const t = ((key: string) => key) as Parameters<typeof listSettingsCategories>[0];
const all = listSettingsCategories(t, { sells: true, meetings: true, pushes: true });
const found = (typed: string) => findCategories(all, typed).map(({ page }) => page);

test('a path names one category, or none', () => {
  expect(settingsPageOf('/settings/privacy')).toBe('privacy');
  expect(settingsPageOf('/settings/privacy/')).toBe('privacy');
  // Pages of other sections are shown next to the list as well.
  expect(settingsPageOf('/settings/brand')).toBe('brand');
  expect(settingsPageOf('/settings/constructor')).toBeUndefined();
  expect(settingsPageOf('/profile')).toBeUndefined();
});

test('a category is found by its name and by the contents of its page', () => {
  expect(found('PROFILE:DEVICES')).toEqual(['devices']);
  expect(found(' receipts ')).toEqual(['privacy']);
  expect(found('blocked')).toEqual(['privacy']);
  expect(found('')).toHaveLength(all.length);
  expect(found('nothing is called that')).toEqual([]);
});

test('branded rooms and notifications are listed only if available', () => {
  const pages = listSettingsCategories(t, { sells: false, meetings: false, pushes: false }).map(({ page }) => page);
  expect(pages).not.toContain('brand');
  expect(pages).not.toContain('notifications');
});
