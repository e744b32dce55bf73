import { accessTokenPrefix } from '@nolo/rules';
import { looksLikeAccessToken, generateAccessTokenText } from './accessTokens.ts';

test('a token is recognized by its prefix, length and checksum', () => {
  const tokens = Array.from({ length: 100 }, generateAccessTokenText);
  expect(new Set(tokens).size).toBe(100);
  for (const token of tokens) expect(token).toMatch(new RegExp(`^${accessTokenPrefix}[0-9A-Za-z]{49}$`));
  expect(tokens.every(looksLikeAccessToken)).toBe(true);
});

test('a token with a changed, missing or added letter is invalid', () => {
  const token = generateAccessTokenText();
  const at = accessTokenPrefix.length;
  const changed = Array.from({ length: token.length - at }, (_, index) => {
    const place = at + index;
    return `${token.slice(0, place)}${token[place] === 'a' ? 'b' : 'a'}${token.slice(place + 1)}`;
  });
  const others = ['', accessTokenPrefix, token.slice(0, -1), `${token}a`, token.slice(at), `${token}\n`];
  expect([...changed, ...others].filter(looksLikeAccessToken)).toEqual([]);
});
