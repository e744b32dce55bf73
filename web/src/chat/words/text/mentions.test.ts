import { findMentionQuery, splitMentions, filterStillMentioned } from './mentions.ts';

const ada = { userId: 'a', names: ['Ada Lovelace', 'Ada'], label: 'Ada', self: false };
const adam = { userId: 'b', names: ['Adam'], label: 'Adam', self: true };
const found = (text: string) =>
  splitMentions(text, [ada, adam]).map(({ text: segment, mentioned }) =>
    mentioned ? [segment, mentioned.userId] : segment,
  );

test('names after an @ are mentions, the longest first, regardless of case', () => {
  expect(found('Hi @ada lovelace and @Adam!')).toEqual(['Hi ', ['@ada lovelace', 'a'], ' and ', ['@Adam', 'b'], '!']);
  expect(found('@Ada, see')).toEqual([['@Ada', 'a'], ', see']);
});

test('a name is found however the text spells it, with the length that it has there', () => {
  const people = ['İpek', 'Gaël', 'Σίσυφος', 'Jo\u00ebl Strauß', 'می\u200cترا'].map((name) => ({
    userId: name,
    names: [name],
    label: name,
    self: false,
  }));
  const mentions = (text: string) =>
    splitMentions(text, people).map(({ text: segment, mentioned }) => (mentioned ? [segment] : segment));
  expect(mentions('@İpek hi')).toEqual([['@İpek'], ' hi']);
  expect(mentions('@ipek, @IPEK')).toEqual([['@ipek'], ', ', ['@IPEK']]);
  expect(mentions('see @gael!')).toEqual(['see ', ['@gael'], '!']);
  expect(mentions('see @Gae\u0308l!')).toEqual(['see ', ['@Gae\u0308l'], '!']);
  expect(mentions('@ΣΊΣΥΦΟΣ.')).toEqual([['@ΣΊΣΥΦΟΣ'], '.']);
  expect(mentions('@JOËL STRAUSS?')).toEqual([['@JOËL STRAUSS'], '?']);
  expect(mentions('@میترا')).toEqual([['@میترا']]);
  expect(mentions('@Gaë')).toEqual(['@Gaë']);
  expect(mentions('İİİ @Gaël')).toEqual(['İİİ ', ['@Gaël']]);
  expect(filterStillMentioned('Hi @İpek', [{ userId: 'i', name: 'İpek' }])).toHaveLength(1);
});

test('two people with the same name are mentioned in the order of their ids', () => {
  const other = { ...ada, userId: 'c' };
  const ids = splitMentions('@Ada and @Ada', [ada, other]).flatMap(({ mentioned }) => mentioned?.userId ?? []);
  expect(ids).toEqual(['a', 'c']);
});

test('an email address, a longer name and an unknown name are text', () => {
  for (const text of ['me@ada', '@Adamantine', '@Grace', '@']) expect(found(text)).toEqual([text]);
});

test('text after an @ searches for people, until more than a name is typed', () => {
  expect(findMentionQuery('Hi @ad', 6)).toEqual({ from: 3, query: 'ad' });
  expect(findMentionQuery('@', 1)).toEqual({ from: 0, query: '' });
  expect(findMentionQuery('@Ada Lo', 7)).toEqual({ from: 0, query: 'Ada Lo' });
  expect(findMentionQuery('@Ada wrote me', 13)).toBeNull();
  expect(findMentionQuery('mail@ad', 7)).toBeNull();
  expect(findMentionQuery('@ ada', 5)).toBeNull();
  expect(findMentionQuery('none', 4)).toBeNull();
});

test('only people whose names are still in the text are mentioned', () => {
  const chosen = [
    { userId: 'a', name: 'Ada Lovelace' },
    { userId: 'b', name: 'Adam' },
    { userId: 'a', name: 'Ada Lovelace' },
  ];
  expect(filterStillMentioned('thanks @Ada Lovelace', chosen)).toEqual([chosen[0]]);
});

test('a URL is not split at a name in it', () => {
  const ada = { userId: 'a', names: ['Ada'], label: 'Ada', self: false };
  const segments = splitMentions('https://h.example/@Ada by @Ada', [ada]);
  expect(segments.map(({ text, mentioned }) => [text, mentioned?.userId])).toEqual([
    ['https://h.example/@Ada by ', undefined],
    ['@Ada', 'a'],
  ]);
});
