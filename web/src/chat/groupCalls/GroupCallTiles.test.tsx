/** @jest-environment jsdom */
import { cleanup, render, screen } from '@testing-library/react';
import { TestProviders } from '../../testing/TestProviders.tsx';
import { GroupCallTiles } from './GroupCallTiles.tsx';

afterEach(cleanup);

const ada = { id: 'ada', displayName: 'Ada Adams', profileImageUrl: null };

function show(size: number): { taken: number; free: number } {
  render(<GroupCallTiles size={size} people={[ada]} count={1} loading={false} />, { wrapper: TestProviders });
  const all = screen.getAllByRole('listitem').length;
  const free = screen.queryAllByText('Open spot').length;
  return { taken: all - free, free };
}

test('a group of three has three places', () => {
  expect(show(3)).toEqual({ taken: 1, free: 2 });
});

test('a large group has seven places', () => {
  expect(show(40)).toEqual({ taken: 1, free: 6 });
});

test('the last place counts the people who have no place', () => {
  const people = Array.from({ length: 12 }, (_, index) => ({ ...ada, id: `p${index}`, displayName: `P${index}` }));
  render(<GroupCallTiles size={40} people={people} count={12} loading={false} />, { wrapper: TestProviders });
  expect(screen.getAllByRole('listitem')).toHaveLength(7);
  expect(screen.getByText('+6')).toBeTruthy();
});
