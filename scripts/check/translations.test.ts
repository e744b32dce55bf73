import {
  compareLanguages,
  findLabelMismatches,
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
      'web/src/i18n/en.ts: nothing uses “chats.title”.',
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
