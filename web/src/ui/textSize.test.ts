/** @jest-environment jsdom */
import { preferenceChoices } from '@nolo/rules';
import { textSizeStorageKey } from './appearanceKeys.ts';
import { chooseTextSize, textSizeOf, textSizes } from './textSize.ts';

test('the choice is on the document and kept for the next visit; the usual one leaves nothing behind', () => {
  const root = document.createElement('html');
  expect(textSizeOf(root)).toBe('usual');
  chooseTextSize('larger', root, localStorage);
  expect(textSizeOf(root)).toBe('larger');
  expect(localStorage.getItem(textSizeStorageKey)).toBe('larger');
  chooseTextSize('usual', root, localStorage);
  expect(textSizeOf(root)).toBe('usual');
  expect(root.dataset.text).toBeUndefined();
  expect(localStorage).toHaveLength(0);
});

test('the account knows the same steps', () => expect(textSizes).toEqual(preferenceChoices.textSize));
