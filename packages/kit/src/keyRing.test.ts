import { randomBytes } from 'node:crypto';
import { createKeyRing, parseKeyRing } from './keyRing.ts';

const key = (name: string) => ({ name, key: randomBytes(32) });

test('what is sealed is opened for the same place only, and never twice the same bytes', async () => {
  const ring = createKeyRing([key('a')]);
  const sealed = await ring.seal('a token', 'connection 1');
  expect(sealed.toString()).not.toContain('a token');
  expect(await ring.open(sealed, 'connection 1')).toBe('a token');
  await expect(ring.open(sealed, 'connection 2')).rejects.toThrow();
  expect(await ring.seal('a token', 'connection 1')).not.toEqual(sealed);
  sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1;
  await expect(ring.open(sealed, 'connection 1')).rejects.toThrow();
});

test('a new key in front takes over, and the old one opens as long as it is there', async () => {
  const [old, fresh] = [key('old'), key('new')];
  const sealed = await createKeyRing([old]).seal('a token', 'x');
  const both = createKeyRing([fresh, old]);
  expect(both.isOld(sealed)).toBe(true);
  expect(both.isOld(await both.seal('a token', 'x'))).toBe(false);
  expect(await both.open(sealed, 'x')).toBe('a token');
  await expect(createKeyRing([fresh]).open(sealed, 'x')).rejects.toThrow('has no key');
});

test('keys are read from the configuration, each with a name of its own and 32 bytes', () => {
  const base64 = randomBytes(32).toString('base64');
  expect(parseKeyRing(`new:${base64}, old:${base64}`)?.map(({ name }) => name)).toEqual(['new', 'old']);
  expect(parseKeyRing(`a:${base64},a:${base64}`)).toBeUndefined();
  expect(parseKeyRing('a:c2hvcnQ=')).toBeUndefined();
  expect(parseKeyRing('')).toBeUndefined();
});
