/** @jest-environment jsdom */
import { preferenceChoices } from '@nolo/rules';
import { textSizeStorageKey } from './appearanceKeys.ts';
import { chooseTextSize, textSizeOf, textSizes } from './textSize.ts';

test('the choice is set on the document and stored; the default leaves nothing stored', () => {
  const root = document.createElement('html');
  expect(textSizeOf(root)).toBe('default');
  chooseTextSize('larger', root, localStorage);
  expect(textSizeOf(root)).toBe('larger');
  expect(localStorage.getItem(textSizeStorageKey)).toBe('larger');
  chooseTextSize('default', root, localStorage);
  expect(textSizeOf(root)).toBe('default');
  expect(root.dataset.text).toBeUndefined();
  expect(localStorage).toHaveLength(0);
});

test('the account has the same sizes', () => expect(textSizes).toEqual(preferenceChoices.textSize));
