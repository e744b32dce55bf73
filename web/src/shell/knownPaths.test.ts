import { toAppPath } from './knownPaths.ts';

test('a link with the app’s own scheme leads to a screen, and any other to the start', () => {
  expect(toAppPath('web+nolo:meeting/ABC234')).toBe('/meeting/ABC234');
  expect(toAppPath('web+nolo://chat/0190-a')).toBe('/chat/0190-a');
  expect(toAppPath('web+nolo:starred/chat/0190-a')).toBe('/starred/chat/0190-a');
  for (const other of [
    '',
    'chat/1',
    'web+nolo:',
    'web+nolo:nowhere',
    'web+nolo:///evil.example',
    'web+nolo:open',
    'web+nolo:chat/1?x=1',
    'https://evil.example/chat/1',
  ]) {
    expect(toAppPath(other)).toBe('/');
  }
});
