import { listAllowedOrigins, comesFromForeignPage, comesFromOurPage } from './origins.ts';

const ours = listAllowedOrigins('https://nolo.example', false, 8080);

describe('allowedOrigins', () => {
  it('contains only the public address in production', () => {
    expect([...ours]).toEqual(['https://nolo.example']);
  });
  it('adds the names of this machine in demo mode', () => {
    expect([...listAllowedOrigins('http://localhost:8080', true, 8080)]).toEqual([
      'http://localhost:8080',
      'http://127.0.0.1:8080',
      'http://[::1]:8080',
    ]);
  });
});

describe('comesFromOurPage', () => {
  it.each([
    ['https://nolo.example', undefined, true],
    ['https://nolo.example', 'cross-site', true],
    ['https://evil.example', undefined, false],
    ['https://evil.example', 'same-origin', false],
    ['null', undefined, false],
    ['http://nolo.example', undefined, false],
    ['https://nolo.example.evil', undefined, false],
    [undefined, 'same-origin', true],
    [undefined, 'same-site', false],
    [undefined, undefined, false],
  ])('origin %s, sec-fetch-site %s: %s', (origin, secFetchSite, expected) => {
    expect(comesFromOurPage({ origin, secFetchSite }, ours)).toBe(expected);
  });
});

describe('comesFromForeignPage', () => {
  it.each([
    ['https://evil.example', undefined, true],
    ['null', undefined, true],
    [undefined, 'cross-site', true],
    [undefined, 'same-site', true],
    [undefined, 'none', false],
    [undefined, undefined, false],
    ['https://nolo.example', undefined, false],
  ])('origin %s, sec-fetch-site %s: %s', (origin, secFetchSite, expected) => {
    expect(comesFromForeignPage({ origin, secFetchSite }, ours)).toBe(expected);
  });
});
