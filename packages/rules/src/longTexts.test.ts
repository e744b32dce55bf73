import * as rules from './index.ts';

/** Building blocks of long texts: what regular expressions search for, and what is expensive to normalize. */
const pieces = [
  'a',
  ' ',
  '.',
  '/',
  '@',
  '"',
  '%',
  '(',
  '\n',
  '\u0000',
  '\u0301\u0327',
  '\u0e38\u0f71\u3099\u0345',
  '\u0301\u200b',
  '\u200d',
  '\u202e',
  '\u2066',
  '\ud800',
  '\u{e0061}',
  '👍\u200d',
  '🇩',
  '漢\ufe00',
  'ن\u064b\u200c',
  '\u1100\u1160',
  'Version/1 ',
  'https://a.bc(',
  'https://',
  'a.',
  'com.',
  '1.a-',
];
const length = 100_000;
const maxDurationMs = 1_500;

const texts = pieces.flatMap((piece) => {
  const run = piece.repeat(length / piece.length);
  return [`x${run}x`, `${run}\u0000`];
});

/** Functions that receive external texts. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  barredHostIn: (text) => rules.findBarredHost(new Set(['*.example.org']), text),
  cleanName: rules.cleanName,
  compareNames: (text) => rules.compareNames(text, 'Ada'),
  cutText: (text) =>
    ['utf16', 'codePoints', 'graphemes', 'bytes'].map((unit) => rules.cutText(text, 255, unit as 'bytes')),
  deviceName: rules.deviceName,
  findLinks: rules.splitTextAtLinks,
  foldText: rules.foldText,
  foldWithPlaces: rules.foldWithPlaces,
  hasLink: rules.hasLink,
  isBarred: (text) => rules.isBarred(new Set(['*.example.org']), text),
  isTimeZone: rules.isTimeZone,
  isolated: rules.isolateDirection,
  looksLikeRoomCode: rules.looksLikeRoomCode,
  nameInMail: rules.nameInMail,
  nameWithin: (text) => rules.cleanNameWithin(text, { min: 1, max: 50 }),
  normalizeRoomCode: rules.normalizeRoomCode,
  portableFileName: rules.toPortableFileName,
  readHost: rules.parseBarrableHost,
  readUsername: rules.normalizeUsername,
  roomCodeKind: rules.roomCodeKindOf,
  safeFileName: rules.sanitizeFileName,
  withoutHidden: rules.removeHiddenCharacters,
};

test.each(Object.entries(readers))('%s reads every long text quickly', (_name, read) => {
  let worst = { ms: 0, text: '' };
  for (const text of texts) {
    const begun = process.cpuUsage();
    read(text);
    const { user, system } = process.cpuUsage(begun);
    const ms = (user + system) / 1_000;
    if (ms > worst.ms) worst = { ms, text: JSON.stringify(text.slice(0, 20)) };
  }
  expect(worst.ms > maxDurationMs ? worst : undefined).toBeUndefined();
});
