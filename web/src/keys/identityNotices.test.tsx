/** @jest-environment jsdom */
import type { PersonKeys } from '@nolo/client/keys/types';
import { cleanup, render, screen } from '@testing-library/react';
import { testChat } from '../testing/ChatTestProviders.tsx';
import { IdentityNotices } from './IdentityNotices.tsx';
import { peopleKeys } from './model/peopleKeys.ts';

afterEach(() => {
  cleanup();
  peopleKeys.store.setState({}, true);
});

const keysOf = (userId: string, more: Partial<PersonKeys>): PersonKeys => ({
  userId,
  identity: 'known',
  verified: false,
  wasVerified: false,
  blocked: null,
  decidedOn: null,
  ...more,
});

test('a conversation asks about changed keys and about decisions of a removed device, and about no others', () => {
  peopleKeys.store.setState({
    ben: keysOf('ben', { identity: 'changed' }),
    cleo: keysOf('cleo', { identity: 'undecided', wasVerified: true, decidedOn: '' }),
    dan: keysOf('dan', { verified: true }),
  });
  const people = ['Ben', 'Cleo', 'Dan'].map((name) => ({ userId: name.toLowerCase(), name }));
  render(<IdentityNotices people={people} />, { wrapper: testChat().wrapper });
  expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('Ben has new keys'),
    expect.stringContaining('A former device of yours marked Cleo as verified'),
  ]);
});
