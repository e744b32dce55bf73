import { transformForLazyCatalogues } from './languages.ts';

const changed = (code: string, id = '/src/app/router.tsx') =>
  transformForLazyCatalogues(code, id)?.replace(/^import [^;]*; /, '');

test('each room loaded later waits for its words, wherever the import is', () => {
  expect(changed("(await import('./ProfilePage.tsx')).ProfilePage")).toBe(
    "(await waitForCatalogues(import('./ProfilePage.tsx'))).ProfilePage",
  );
  expect(changed("import('../calls/media/CallMedia.ts').then(go)")).toBe(
    "waitForCatalogues(import('../calls/media/CallMedia.ts')).then(go)",
  );
  expect(changed("type Room = typeof import('./Room.tsx')")).toBeUndefined();
  expect(changed("import('../people/deContacts.ts')")).toBeUndefined();
});

test('the English words of a room report that they are loaded', () => {
  expect(changed('export const enCalls = {};', '/src/calls/enCalls.ts')).toBe(
    "export const enCalls = {};\nrequestCatalogue('calls');",
  );
});
