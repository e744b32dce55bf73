import { idFromName, isId, createdAtOfId, newId, parseId, type UserId } from './ids.ts';

describe('ids', () => {
  it('increase monotonically within a process', () => {
    const ids = Array.from({ length: 2000 }, () => newId());
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('are distinguishable from other strings', () => {
    expect(isId(newId())).toBe(true);
    for (const wrong of ['', 'abc', 7, undefined, '../../etc/passwd']) expect(isId(wrong)).toBe(false);
    expect(parseId<UserId>('0190A5D0-7D4B-7000-8000-000000000001')).toBe('0190a5d0-7d4b-7000-8000-000000000001');
    expect(parseId<UserId>('nobody')).toBeUndefined();
  });
});

test('an id contains its creation time, unless it was derived from a name', () => {
  // Example from RFC 9562.
  expect(createdAtOfId('017f22e2-79b0-7cc3-98c4-dc0c0c07398f')?.toISOString()).toBe('2022-02-22T19:22:22.000Z');
  expect(Math.abs(Date.now() - createdAtOfId(newId())!.getTime())).toBeLessThan(60_000);
  expect(createdAtOfId(idFromName('call-1'))).toBeUndefined();
  expect(createdAtOfId('call-1')).toBeUndefined();
});

test('a name always maps to the same id, and no other name does', () => {
  expect(idFromName('call-1')).toBe(idFromName('call-1'));
  expect(idFromName('call-1')).not.toBe(idFromName('call-2'));
  expect(isId(idFromName('call-1'))).toBe(true);
});
