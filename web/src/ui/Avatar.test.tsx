/** @jest-environment jsdom */
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { TestProviders } from '../testing/TestProviders.tsx';
import { Avatar, initialOf, tintOf } from './Avatar.tsx';

afterEach(cleanup);

test.each([
  ['amara', 'A'],
  ['  thabo ', 'T'],
  ['élodie', 'É'],
  ['👩‍👩‍👧 family', '👩‍👩‍👧'],
  ['+27 82 123 4567', '2'],
  ['', '?'],
])('the initial of %j is %j', (name, initial) => {
  expect(initialOf(name)).toBe(initial);
});

test('a name keeps its tint', () => {
  expect(tintOf('Amara Dlamini')).toBe(tintOf(' Amara Dlamini '));
});

test('a broken picture falls back to the initial, and a new one is tried again', () => {
  const { container, rerender } = render(<Avatar name="Amara" imageUrl="/a.jpg" />, { wrapper: TestProviders });
  const image = container.querySelector('img');
  expect(image?.getAttribute('src')).toBe('/a.jpg');
  if (image) fireEvent.error(image);
  expect(container.querySelector('img')).toBeNull();
  expect(screen.getByText('A')).toBeTruthy();
  rerender(<Avatar name="Amara" imageUrl="/b.jpg" />);
  expect(container.querySelector('img')?.getAttribute('src')).toBe('/b.jpg');
});

test('presence is spoken', () => {
  render(<Avatar name="Amara" presence="busy" />, { wrapper: TestProviders });
  expect(screen.getByRole('img', { name: 'Busy' })).toBeTruthy();
});
