import { anchorsOf, findBrokenLinks } from './links.ts';
import { listTrackedPaths, readTrackedFiles } from './trackedFiles.ts';

test.each([
  ['## The rooms of the web app', 'the-rooms-of-the-web-app'],
  ['### `npm start`, and more', 'npm-start-and-more'],
  ['# [A link](page.md)', 'a-link'],
])('makes the anchor of %s', (heading, anchor) => {
  expect([...anchorsOf(heading)]).toEqual([anchor]);
});

test('headings inside code make no anchors, and a repeated heading gets a number', () => {
  expect([...anchorsOf('# One\n\n```sh\n# Two\n```\n\n# One')]).toEqual(['one', 'one-1']);
});

test('finds missing files and headings, and ignores the web and code', () => {
  const files = [
    { path: 'docs/a.md', text: '# A\n\n[b](b.md#b) [c](c.md) [d](#d) [web](https://example.org/x) `[e](e.md)`' },
    { path: 'docs/b.md', text: '# Bee' },
  ];
  expect(findBrokenLinks(files, new Set(['docs/a.md', 'docs/b.md']))).toEqual([
    'docs/a.md: docs/b.md has no heading for b.md#b.',
    'docs/a.md: nothing is at c.md.',
    'docs/a.md: docs/a.md has no heading for #d.',
  ]);
});

test('every relative link in our pages leads somewhere', async () => {
  expect(findBrokenLinks(await readTrackedFiles(), await listTrackedPaths())).toEqual([]);
});
