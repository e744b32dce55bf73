import { toPreferenceRows, toPreferences } from './preferences.ts';

const at = new Date('2026-12-01T00:00:00Z');

test.each(['usual', 'default'] as const)('the default text size is stored and shown as such if it is %s', (value) => {
  expect(toPreferenceRows({ textSize: { value, changedAt: at.toISOString() } })).toEqual([
    { name: 'textSize', json: '"default"', changedAt: at },
  ]);
  expect(toPreferences([{ name: 'textSize', json: JSON.stringify(value), changedAt: at }])).toEqual({
    textSize: { value: 'default', changedAt: at.toISOString() },
  });
});

test('preferences of another version are skipped', () => {
  expect(toPreferences([{ name: 'pace', json: '"slow"', changedAt: at }])).toEqual({});
});
