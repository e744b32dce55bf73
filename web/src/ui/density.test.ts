/** @jest-environment jsdom */
import { chooseDensity, densityOf } from './density.ts';
import { densityStorageKey } from './appearanceKeys.ts';

test('the choice is on the document and kept for the next visit; the usual one leaves nothing behind', () => {
  const root = document.createElement('html');
  expect(densityOf(root)).toBe('comfortable');
  chooseDensity('compact', root, localStorage);
  expect(densityOf(root)).toBe('compact');
  expect(localStorage.getItem(densityStorageKey)).toBe('compact');
  chooseDensity('comfortable', root, localStorage);
  expect(densityOf(root)).toBe('comfortable');
  expect(root.dataset.density).toBeUndefined();
  expect(localStorage).toHaveLength(0);
});
