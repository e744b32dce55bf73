/** @jest-environment jsdom */
import { cleanup, render } from '@testing-library/react';
import { MarkupText } from './MarkupText.tsx';

afterEach(cleanup);

const show = (text: string) => render(<MarkupText text={text} people={[]} />).container;

test('what leads nowhere that may be followed is shown as it stands', () => {
  const page = show('[press](javascript:alert(1)) and [me](https://user:pass@example.org)');
  expect(page.querySelector('a')).toBeNull();
  expect(page.textContent).toContain('press (javascript:alert(1))');
  expect(page.textContent).toContain('me (https://user:pass@example.org)');
});

test('a name that poses as an address has the true one beside it', () => {
  const page = show('[bank.example](https://evil.example/x) [here](https://example.org/)');
  const [posing, plain] = [...page.querySelectorAll('a')];
  expect(posing?.getAttribute('href')).toBe('https://evil.example/x');
  expect(page.textContent).toContain('bank.example (evil.example)');
  expect(plain?.textContent).toBe('here');
  expect(page.textContent).not.toContain('(example.org)');
  for (const link of [posing, plain]) expect(link?.getAttribute('rel')).toBe('noopener noreferrer nofollow');
});

test('an address of letters that look like others has the true one beside it', () => {
  const page = show(
    '*see* https://раypal.com and [раypal.com](https://раypal.com/x) or [Привет](https://example.org/)',
  );
  expect(page.textContent).toBe(
    'see https://раypal.com (xn--ypal-43d9g.com) and раypal.com (xn--ypal-43d9g.com) or Привет',
  );
});

test('nothing in a text becomes an element of its own', () => {
  const page = show('*so* <img src=x onerror=alert(1)> ![x](https://example.org/x.png)');
  expect(page.querySelector('img, script')).toBeNull();
  expect(page.textContent).toContain('<img src=x onerror=alert(1)>');
});

test('towers of marks are cut to a height that scripts need', () => {
  const page = show(`*a*${'\u0301'.repeat(500)}`);
  expect(page.textContent!.length).toBeLessThan(20);
});

test('words without markup keep their spaces and lines', () => {
  expect(show('a  b\n\n\n  c').textContent).toBe('a  b\n\n\n  c');
});
