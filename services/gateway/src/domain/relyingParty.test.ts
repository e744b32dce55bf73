import { listAllowedOrigins } from './origins.ts';
import { createRelyingParty } from './relyingParty.ts';

const of = (publicUrl: string, configured?: string, demo = false) =>
  createRelyingParty(publicUrl, listAllowedOrigins(publicUrl, demo, 8080), configured);

test.each([
  ['https://nolo.example.org', undefined, { id: 'nolo.example.org', origins: ['https://nolo.example.org'] }],
  ['https://nolo.example.org', 'example.org', { id: 'example.org', origins: ['https://nolo.example.org'] }],
  ['http://nolo.example.org', undefined, undefined],
  ['https://192.0.2.1', undefined, undefined],
  ['https://[2001:db8::1]', undefined, undefined],
])('derives the relying party from %p, configured %p', (publicUrl, configured, expected) => {
  expect(of(publicUrl, configured)).toEqual(expected);
});

test('a demo on the same machine has its name as relying party, never an address', () => {
  expect(of('http://localhost:8080', undefined, true)).toEqual({ id: 'localhost', origins: ['http://localhost:8080'] });
  expect(of('http://127.0.0.1:8080', undefined, true)).toBeUndefined();
});
