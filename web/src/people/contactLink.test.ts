import { readContactToken, readContactTokenFromCode } from './contactLink.ts';

test.each([
  ['#add=AbCdEfGhIjKlMnOpQrSt_-', 'AbCdEfGhIjKlMnOpQrSt_-'],
  ['#add=short', null],
  ['#add=AbCdEfGhIjKlMnOpQrSt_-&x', null],
  ['#other', null],
  ['', null],
])('the token in %p is %p', (hash, token) => {
  expect(readContactToken(hash)).toBe(token);
});

const token = 'AbCdEfGhIjKlMnOpQrSt_-';

test.each([
  [`https://nolo.example/contacts#add=${token}`, token],
  [`https://elsewhere.example/contacts#add=${token}`, null],
  [`https://nolo.example/chat#add=${token}`, null],
  [`https://nolo.example/contacts`, null],
  ['WIFI:S:cafe;;', null],
])('the token in the code %p is %p', (code, found) => {
  expect(readContactTokenFromCode(code, 'https://nolo.example')).toBe(found);
});
