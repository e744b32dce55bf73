import { randomBytes } from 'node:crypto';
import { createKeyRing, parseKeyRing } from './keyRing.ts';

const key = (name: string) => ({ name, key: randomBytes(32) });

test('ciphertext opens only in its own context, and no two ciphertexts are the same', async () => {
  const ring = createKeyRing([key('a')]);
  const sealed = await ring.seal('a token', 'connection 1');
  expect(sealed.toString()).not.toContain('a token');
  expect(await ring.open(sealed, 'connection 1')).toBe('a token');
  await expect(ring.open(sealed, 'connection 2')).rejects.toThrow();
  expect(await ring.seal('a token', 'connection 1')).not.toEqual(sealed);
  sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1;
  await expect(ring.open(sealed, 'connection 1')).rejects.toThrow();
});

test('a new first key takes over, and the old one still decrypts while it is listed', async () => {
  const [old, fresh] = [key('old'), key('new')];
  const sealed = await createKeyRing([old]).seal('a token', 'x');
  const both = createKeyRing([fresh, old]);
  expect(both.isOld(sealed)).toBe(true);
  expect(both.isOld(await both.seal('a token', 'x'))).toBe(false);
  expect(await both.open(sealed, 'x')).toBe('a token');
  await expect(createKeyRing([fresh]).open(sealed, 'x')).rejects.toThrow('has no key');
});

test('keys are read from the configuration, each with a unique name and 32 bytes', () => {
  const base64 = randomBytes(32).toString('base64');
  expect(parseKeyRing(`new:${base64}, old:${base64}`)?.map(({ name }) => name)).toEqual(['new', 'old']);
  expect(parseKeyRing(`a:${base64},a:${base64}`)).toBeUndefined();
  expect(parseKeyRing('a:c2hvcnQ=')).toBeUndefined();
  expect(parseKeyRing('')).toBeUndefined();
});
