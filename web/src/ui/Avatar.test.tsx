/** @jest-environment jsdom */
import { readFileSync } from 'node:fs';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { TestProviders } from '../testing/TestProviders.tsx';
import { Avatar, initialsOf, tintOf } from './Avatar.tsx';

afterEach(cleanup);

const tokens = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');

test.each([
  ['amara', 'A'],
  ['  thabo mokoena ', 'TM'],
  ['élodie van der Merwe', 'ÉM'],
  ['Ben (work)', 'BW'],
  ['Ada 2', 'A'],
  ['e\u0301lodie', 'E\u0301'],
  ['B', 'B'],
  ['山田太郎', '山'],
  ['👩‍👩‍👧 family', '👩‍👩‍👧'],
  ['+27 82 123 4567', '2'],
  ['', '?'],
])('the initials of %j are %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test('an avatar with room for one letter shows the first', () => {
  expect(initialsOf('Thabo Mokoena', 1)).toBe('T');
});

test('a name keeps its tint', () => {
  expect(tintOf('Amara Dlamini')).toBe(tintOf(' Amara Dlamini '));
});

/** Returns the luminance of a color like #1db584, as WCAG 2.2 defines it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

test('tinted names are readable on the bubbles of others, in light and dark', () => {
  const texts = new Set(
    [
      'Ada',
      'Ben',
      'Cleo',
      'Dan',
      'Eve',
      'Finn',
      'Gugu',
      'Hana',
      'Ivo',
      'Jo',
      'Kim',
      'Lena',
      'Mo',
      'Noor',
      'Olu',
      'Pia',
    ].map((name) => tintOf(name).text),
  );
  expect(texts.size).toBeGreaterThan(7);
  for (const text of texts) {
    const token = new RegExp(`--color-${text.replace('text-', '')}: (.*);`).exec(tokens)?.[1] ?? '';
    const [light = '', dark = ''] = token.match(/#[0-9a-f]{6}/g) ?? [];
    expect(contrast(light, '#ffffff')).toBeGreaterThan(4.5);
    expect(contrast(dark, '#24211e')).toBeGreaterThan(4.5);
  }
});

test('a broken picture falls back to the initial, and a new one is tried again', () => {
  const { container, rerender } = render(<Avatar name="Amara" imageUrl="/a.jpg" />, { wrapper: TestProviders });
  const image = container.querySelector('img');
  expect(image?.getAttribute('src')).toBe('/a.jpg');
  if (image) fireEvent.error(image);
  expect(container.querySelector('img')).toBeNull();
  expect(container.querySelector('[data-initials]')?.getAttribute('data-initials')).toBe('A');
  rerender(<Avatar name="Amara" imageUrl="/b.jpg" />);
  expect(container.querySelector('img')?.getAttribute('src')).toBe('/b.jpg');
});

test('presence is announced to screen readers', () => {
  render(<Avatar name="Amara" presence="busy" />, { wrapper: TestProviders });
  expect(screen.getByRole('img', { name: 'Busy' })).toBeTruthy();
});
