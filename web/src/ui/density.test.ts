/** @jest-environment jsdom */
import { chooseDensity, densityOf } from './density.ts';
import { densityStorageKey } from './appearanceKeys.ts';

test('the choice is set on the document and stored; the default leaves nothing stored', () => {
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
