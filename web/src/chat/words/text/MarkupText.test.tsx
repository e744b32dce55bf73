/** @jest-environment jsdom */
import { cleanup, render } from '@testing-library/react';
import { MarkupText } from './MarkupText.tsx';

afterEach(cleanup);

const show = (text: string) => render(<MarkupText text={text} people={[]} />).container;

test('a link that must not be followed is shown as text', () => {
  const page = show('[press](javascript:alert(1)) and [me](https://user:pass@example.org)');
  expect(page.querySelector('a')).toBeNull();
  expect(page.textContent).toContain('press (javascript:alert(1))');
  expect(page.textContent).toContain('me (https://user:pass@example.org)');
});

test('a link name that poses as a URL is followed by the real host', () => {
  const page = show('[bank.example](https://evil.example/x) [here](https://example.org/)');
  const [posing, plain] = [...page.querySelectorAll('a')];
  expect(posing?.getAttribute('href')).toBe('https://evil.example/x');
  expect(page.textContent).toContain('bank.example (evil.example)');
  expect(plain?.textContent).toBe('here');
  expect(page.textContent).not.toContain('(example.org)');
  for (const link of [posing, plain]) expect(link?.getAttribute('rel')).toBe('noopener noreferrer nofollow');
});

test('a URL with look-alike letters is followed by the real host', () => {
  const page = show(
    '*see* https://раypal.com and [раypal.com](https://раypal.com/x) or [Привет](https://example.org/)',
  );
  expect(page.textContent).toBe(
    'see https://раypal.com (xn--ypal-43d9g.com) and раypal.com (xn--ypal-43d9g.com) or Привет',
  );
});

test('HTML in a text does not become an element', () => {
  const page = show('*so* <img src=x onerror=alert(1)> ![x](https://example.org/x.png)');
  expect(page.querySelector('img, script')).toBeNull();
  expect(page.textContent).toContain('<img src=x onerror=alert(1)>');
});

test('stacks of combining marks are cut to the height that scripts need', () => {
  const page = show(`*a*${'\u0301'.repeat(500)}`);
  expect(page.textContent!.length).toBeLessThan(20);
});

test('text without markup keeps its spaces and lines', () => {
  expect(show('a  b\n\n\n  c').textContent).toBe('a  b\n\n\n  c');
});
