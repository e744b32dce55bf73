import { limits } from '@nolo/rules';
import { diffProfileDetails, isProfileUnchanged } from './detailsForm.ts';
import { rememberProviderLinking, takeProviderLinkOutcome } from './linkReturn.ts';
import { findPictureProblem } from './pictureRules.ts';

describe('a profile picture', () => {
  const picture = { type: 'image/jpeg', size: 1_000 };

  test.each([
    [[picture], null],
    [[{ ...picture, size: limits.profileImageBytes }], null],
    [[{ ...picture, size: limits.profileImageBytes + 1 }], 'tooLarge'],
    [[{ ...picture, type: 'image/svg+xml' }], 'notImage'],
    [[{ ...picture, type: '' }], 'notImage'],
    [[{ ...picture, size: 0 }], 'empty'],
    [[picture, picture], 'onlyOne'],
    [[], 'empty'],
  ])('has the problem %j: %p', (files, problem) => {
    expect(findPictureProblem(files)).toBe(problem);
  });

  test('may be as large as the specification allows', () => {
    expect(limits.profileImageBytes).toBe(5_242_880);
  });
});

test('only changes are saved, trimmed', () => {
  const before = { firstName: 'Amara', lastName: 'Dlamini', statusMessage: '' };
  expect(diffProfileDetails(before, { ...before, firstName: ' Amara ' })).toBeNull();
  expect(diffProfileDetails(before, { ...before, statusMessage: ' At sea ' })).toEqual({ statusMessage: 'At sea' });
});

test('typing and deleting a letter changes nothing; a trailing space does', () => {
  const before = { firstName: 'Amara', lastName: 'Dlamini', statusMessage: '' };
  expect(isProfileUnchanged(before, { firstName: 'Amara', statusMessage: '' })).toBe(true);
  expect(isProfileUnchanged(before, { firstName: 'Amara ' })).toBe(false);
});

describe('returning from linking', () => {
  function storage() {
    const kept = new Map<string, string>();
    return {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    };
  }

  test('is reported once', () => {
    const kept = storage();
    rememberProviderLinking(kept, 0);
    expect(takeProviderLinkOutcome(kept, '', 1)).toBe('linked');
    expect(takeProviderLinkOutcome(kept, '', 1)).toBeNull();
  });

  test('reports nothing if nothing was linked', () => {
    const kept = storage();
    expect(takeProviderLinkOutcome(kept, '', 1)).toBeNull();
    rememberProviderLinking(kept, 1);
    expect(takeProviderLinkOutcome(kept, '', 1)).toBeNull();
  });

  test('reports a failure first', () => {
    const kept = storage();
    rememberProviderLinking(kept, 0);
    expect(takeProviderLinkOutcome(kept, '?link_error=provider_taken', 0)).toBe('provider_taken');
  });
});
