import {
  compareLanguages,
  findLabelMismatches,
  findMissingValues,
  findRepeatedKeys,
  findUnwaitedImports,
  compareCatalogueWithSources,
  flattenCatalogue,
} from './translations.ts';

const catalogue = flattenCatalogue({
  chats: { title: 'Chats', unread_one: '{{count}} unread', unread_other: '{{count}} unread' },
  presence: { online: 'Online', away: 'Away' },
  close: 'Close',
});

function compare(text: string) {
  return compareCatalogueWithSources(catalogue, [{ path: 'web/src/a.tsx', text }]);
}

const usesAll = "t('chats.title'); t('chats.unread', { count }); t(`presence.${presence}`); const key = 'close';";

describe('compareTranslations', () => {
  it('accepts keys used directly, by count, by prefix and as data', () => {
    expect(compare(usesAll)).toEqual([]);
  });

  it('finds a key missing from the catalogue', () => {
    expect(compare(`${usesAll} t('chats.subtitle')`)).toEqual([
      'web/src/a.tsx: the catalogue has no “chats.subtitle”.',
    ]);
  });

  it('finds an unused text', () => {
    expect(compare(usesAll.replace("t('chats.title');", ''))).toEqual([
      'web/locales/en/app.json: nothing uses “chats.title”.',
    ]);
  });
});

test('keys of a room have its namespace', () => {
  const room = new Map([
    ['social:title', 'Posts'],
    ['social:state.sent', 'Sent'],
  ]);
  const problems = (text: string) => compareCatalogueWithSources(room, [{ path: 'web/src/a.tsx', text }]);
  expect(problems("t('social:title'); t(`social:state.${state}`);")).toEqual([]);
  expect(problems("t('social.title'); t(`social:state.${state}`);")).toEqual([
    'web/src/a.tsx: the catalogue has no “social.title”.',
    'web/locales/en/social.json: nothing uses “social:title”.',
  ]);
});

test('a text that shows values is called with them', () => {
  const texts = new Map([
    ['left_one', '{{count}} day left in {{name}}'],
    ['left_other', '{{count}} days left in {{name}}'],
  ]);
  const problems = (text: string) => findMissingValues(texts, [{ path: 'web/src/a.tsx', text }]);
  expect(problems("t('left', { count: days.filter((day) => { return day; }).length, name })")).toEqual([]);
  expect(problems("t('left', { ...values }); t('left', values);")).toEqual([]);
  expect(problems("t('left', { count })")).toEqual(['web/src/a.tsx: “left” needs the value “name”.']);
  expect(problems("t('left')")).toHaveLength(2);
});

test('a file has each key once', () => {
  const path = 'web/locales/en/a.json';
  expect(findRepeatedKeys({ path, text: '{\n  "a": "A",\n  "b": {\n    "a": "A"\n  }\n}\n' })).toEqual([]);
  expect(findRepeatedKeys({ path, text: '{\n  "a": "A",\n  "a": "B"\n}\n' })).toHaveLength(1);
});

describe('findUnwaitedImports', () => {
  const rooms = [
    { path: 'web/src/social/socialTexts.ts', text: "export const socialTexts = registerTexts('social', en);" },
    {
      path: 'web/src/social/Card.tsx',
      text: "import { a } from './a.ts';\nimport { socialTexts } from './socialTexts.ts';",
    },
    { path: 'web/src/social/room.ts', text: "export { Card } from './Card.tsx';" },
    { path: 'web/src/social/plain.ts', text: "import type { Card } from './Card.tsx';" },
  ];
  const problems = (text: string) => findUnwaitedImports([...rooms, { path: 'web/src/app/a.tsx', text }]);

  it('accepts imports that wait for the texts of the room, and those of a module without texts', () => {
    expect(problems("const { Card } = await withTexts(import('../social/room.ts'));")).toEqual([]);
    expect(problems("lazyDialog(async () => (await import('../social/room.ts')).Card)")).toEqual([]);
    expect(problems("lazyOptional<Props>(\n  async () =>\n    (await import('../social/Card.tsx')).Card)")).toEqual([]);
    expect(problems("import('../social/plain.ts'); type Room = typeof import('../social/room.ts');")).toEqual([]);
  });

  it('finds an import that does not wait', () => {
    expect(problems("void import('../social/room.ts')")).toEqual([
      "web/src/app/a.tsx: wrap import('../social/room.ts') in withTexts(), or its texts appear in English first.",
    ]);
  });
});

test('the accessible name of one of several buttons contains its visible label', () => {
  const words = { lift: 'Lift ban', liftNamed: 'Lift ban on {{name}}', askNamed: 'Ask {{name}}' };
  expect(findLabelMismatches('en.ts', flattenCatalogue(words))).toEqual([]);
  expect(findLabelMismatches('en.ts', flattenCatalogue({ ...words, liftNamed: 'Lift the ban on {{name}}' }))).toEqual([
    'en.ts: “liftNamed” must contain the visible text “Lift ban”.',
  ]);
});

describe('compareLanguages', () => {
  const english = flattenCatalogue({ hello: 'Hello {{name}}', wait: 'Waiting...' });
  const compare = (german: Record<string, string>) => compareLanguages('de.ts', english, flattenCatalogue(german));

  it('accepts the same keys with the same placeholders', () => {
    expect(compare({ hello: '{{name}}, hallo', wait: 'Wartet\u00a0…' })).toEqual([]);
  });

  it('finds keys that are missing, superfluous, filled differently or typeset as in English', () => {
    expect(compare({ hello: 'Hallo {{who}}', bye: 'Tschüss' })).toEqual([
      'de.ts: “hello” interpolates {{who}}, not {{name}}.',
      'de.ts: “wait” is missing: Waiting...',
      'de.ts: “bye” does not exist in English.',
    ]);
    expect(compare({ hello: 'Hallo {{name}}', wait: 'Wartet...' })).toHaveLength(1);
  });
});
